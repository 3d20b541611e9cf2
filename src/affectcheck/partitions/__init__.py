"""Partitions: the fair protocol's 55-15-30, its balance, manifests, audits of any partition, and folds."""

from affectcheck.partitions.adequacy import AdequacyLimits
from affectcheck.partitions.audit import Audit, audit
from affectcheck.partitions.audit_options import AuditOptions
from affectcheck.partitions.balance import Balance, Rare
from affectcheck.partitions.contents import Contents, content_of
from affectcheck.partitions.copies import Copies, copies_of
from affectcheck.partitions.counted import Described, Division, Statistics
from affectcheck.partitions.deviations import Deviations, deviations, unsplittable
from affectcheck.partitions.distances import Chance
from affectcheck.partitions.findings import Finding
from affectcheck.partitions.folds import Fold, folds
from affectcheck.partitions.manifest import load_manifest, require_same, save_manifest
from affectcheck.partitions.options import VARIED_PP, Budget, PartitionOptions
from affectcheck.partitions.partition import Partition, partition
from affectcheck.partitions.protocol import parse_protocol
from affectcheck.partitions.published import published, published_names, published_statistics
from affectcheck.partitions.rank_change import RankChange, rank_change
from affectcheck.partitions.rank_lists import Listed, rank_change_of_scores, read_scores
from affectcheck.partitions.rank_options import RankOptions
from affectcheck.partitions.rank_partitions import rank_change_of_partitions
from affectcheck.partitions.statistics import own_partition, statistics
from affectcheck.partitions.verifying import verify

__all__ = [
    "VARIED_PP",
    "AdequacyLimits",
    "Audit",
    "AuditOptions",
    "Balance",
    "Budget",
    "Chance",
    "Contents",
    "Copies",
    "Described",
    "Deviations",
    "Division",
    "Finding",
    "Fold",
    "Listed",
    "Partition",
    "PartitionOptions",
    "RankChange",
    "RankOptions",
    "Rare",
    "Statistics",
    "audit",
    "content_of",
    "copies_of",
    "deviations",
    "folds",
    "load_manifest",
    "own_partition",
    "parse_protocol",
    "partition",
    "published",
    "published_names",
    "published_statistics",
    "rank_change",
    "rank_change_of_partitions",
    "rank_change_of_scores",
    "read_scores",
    "require_same",
    "save_manifest",
    "statistics",
    "unsplittable",
    "verify",
]
