"""Tallies: mergeable sufficient statistics of truth and prediction, from arrays alone.

Every metric is a function of a tally and never sees rows, so one pass over the data serves every metric, group,
resample and worker. A tally has any leading axes (group, cluster, resample), adds with ``+``, pools an axis with
``pooled`` and is resampled by ``weighted``.
"""

from affectcheck.tallies.binned import Binned, inner_edges
from affectcheck.tallies.coincidences import Coincidences
from affectcheck.tallies.confusion import Confusion
from affectcheck.tallies.divergences import Divergences
from affectcheck.tallies.histogram import Histogram, Range
from affectcheck.tallies.moments import Moments
from affectcheck.tallies.paired import Paired
from affectcheck.tallies.ranked import Ranking
from affectcheck.tallies.ranks import TrueRanks
from affectcheck.tallies.reliability import Reliability
from affectcheck.tallies.sample import Sample
from affectcheck.tallies.signs import Signs
from affectcheck.tallies.spread import Spread
from affectcheck.tallies.tally import Cells, Tally
from affectcheck.tallies.units import Units

__all__ = [
    "Binned",
    "Cells",
    "Coincidences",
    "Confusion",
    "Divergences",
    "Histogram",
    "Moments",
    "Paired",
    "Range",
    "Ranking",
    "Reliability",
    "Sample",
    "Signs",
    "Spread",
    "Tally",
    "TrueRanks",
    "Units",
    "inner_edges",
]
