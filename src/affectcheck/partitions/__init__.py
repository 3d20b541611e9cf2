"""Partitions: the fair protocol's 55-15-30, its balance, manifests, audits of any partition, and folds."""

from affectcheck.partitions.audit import Audit, AuditOptions, audit
from affectcheck.partitions.balance import Balance, Rare
from affectcheck.partitions.findings import Finding
from affectcheck.partitions.folds import Fold, folds
from affectcheck.partitions.manifest import load_manifest, require_same, save_manifest, verify
from affectcheck.partitions.options import Budget, PartitionOptions, parse_protocol
from affectcheck.partitions.partition import Partition, partition

__all__ = [
    "Audit",
    "AuditOptions",
    "Balance",
    "Budget",
    "Finding",
    "Fold",
    "Partition",
    "PartitionOptions",
    "Rare",
    "audit",
    "folds",
    "load_manifest",
    "parse_protocol",
    "partition",
    "require_same",
    "save_manifest",
    "verify",
]
