"""Partitions: the fair protocol's 55-15-30, its balance, manifests, audits of any partition, and folds."""

from affectcheck.partitions.audit import Audit, AuditOptions, audit
from affectcheck.partitions.balance import Balance, Rare
from affectcheck.partitions.contents import Contents, content_of
from affectcheck.partitions.copies import Copies, copies_of
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
    "Contents",
    "Copies",
    "Finding",
    "Fold",
    "Partition",
    "PartitionOptions",
    "Rare",
    "audit",
    "content_of",
    "copies_of",
    "folds",
    "load_manifest",
    "parse_protocol",
    "partition",
    "require_same",
    "save_manifest",
    "verify",
]
