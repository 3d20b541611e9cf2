"""Tallies: mergeable sufficient statistics of truth and prediction, from arrays alone.

Every metric is a function of a tally and never sees rows, so one pass over the data serves every metric, group,
resample and worker. A tally has any leading axes (group, cluster, resample), adds with ``+``, pools an axis with
``pooled`` and is resampled by ``weighted``.
"""

from affectcheck.tallies.confusion import Confusion
from affectcheck.tallies.histogram import Histogram, Range
from affectcheck.tallies.moments import Moments
from affectcheck.tallies.paired import Paired
from affectcheck.tallies.tally import Cells, Tally
from affectcheck.tallies.units import Units

__all__ = ["Cells", "Confusion", "Histogram", "Moments", "Paired", "Range", "Tally", "Units"]
