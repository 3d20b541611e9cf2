"""What the words of a report mean, and how its numbers were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

#: What must occur in a record for a term to be worth a place; empty for what every report may hold.
Occasion = Literal[
    "",
    "disparities",
    "conventions",
    "baseline",
    "verdicts",
    "comparisons",
    "ranks",
    "steps",
    "ceilings",
    "units",
    "crossed",
]


@dataclass(frozen=True)
class Term:
    """A word or a method.

    Attributes:
        name: the word.
        text: what it means, in a few sentences.
        when: what the term is needed for.
    """

    name: str
    text: str
    when: Occasion = ""


#: Words that stand in tables.
WORDS: Final = (
    Term(
        "Interval",
        "The range in brackets. Over many data sets drawn as this one was, ranges made this way hold the true value "
        "as often as their level says. Whole subjects (or files) are redrawn, since items of one subject are alike.",
    ),
    Term(
        "Random model",
        "A model that does not look at the data. It stands beside every number, since some tests are passed by "
        "chance: a pass that the random model also gets says little.",
        "baseline",
    ),
    Term(
        "Signed difference",
        "The score of one group minus that of another, with an interval. Where the interval holds 0, no difference "
        "was detected at this support; that is not evidence that there is none.",
    ),
    Term(
        "p-value",
        "How often models that are exchangeable would differ at least as much as these two: their answers are "
        "exchanged on whole clusters, at random or in every way. After Holm's correction it holds for all pairs of "
        "models at once. It says nothing of how large a difference is; its interval does.",
        "comparisons",
    ),
    Term(
        "Rank",
        "1 plus the number of models that score better; equal scores share the best rank of theirs. Its interval says "
        "how far the rank moves when items are drawn anew.",
        "ranks",
    ),
    Term(
        "Passed",
        "The value is on the passing side of the limit. For fairness this means that no unfairness was detected at "
        "this support.",
    ),
    Term("Failed", "The value is on the failing side of the limit. A disparity must exceed its null band as well."),
    Term("Inconclusive", "The data cannot decide: counted on its own, never as a pass."),
    Term("Not applicable", "The comparison could not be made, for the reason given."),
    Term(
        "Change",
        "The value on what was changed minus the value on it as it was: how much a perturbation matters.",
        "verdicts",
    ),
    Term(
        "Detectable difference",
        "The smallest difference that this support could have shown, for comparisons of groups.",
        "verdicts",
    ),
    Term("Undefined", "No value exists, for the reason given. It is never replaced by 0."),
    Term(
        "n",
        "Items that entered the value; where action units or dimensions were known for different items, those of the "
        "one with most. Values of fewer than 30 items are greyed: they are shown, but say little.",
    ),
    Term(
        "Crossed groups",
        "Groups by several attributes at once, such as age, gender and race. Those of fewer items than the minimum "
        "support are shown greyed, have no value, and enter no disparity.",
        "crossed",
    ),
    Term(
        "Signature",
        "How a number was made: metric, labels, data, partition, resampling, seed and version. Two numbers may be "
        "compared only where nothing but the model differs.",
    ),
)

#: How numbers of a kind are made.
METHODS: Final = (
    Term(
        "Three conventions",
        "The paper's formulae, its published tables and its public code do not agree, so every number says which it "
        "follows. “paper”: the formulae as printed; “tables”: what the published tables must have used; “upstream”: the "
        "authors' public code. In “paper”, EOP and SP divide by the number of classes C and cannot exceed 2/C, so that "
        "hardly any model could fail a limit of 0.1; the limit is therefore judged in “tables”, where they reach 1.",
        "conventions",
    ),
    Term(
        "Null band, or noise floor",
        "What a disparity would be if the model treated all groups alike, at these group sizes: its mean and 95 % "
        "quantile when groups are dealt out at random over whole subjects. Disparities are never negative, so chance "
        "alone makes them positive; a value inside the band is no evidence of a difference. For the same reason they get "
        "no interval: resampling would add the noise a second time.",
        "disparities",
    ),
    Term(
        "Three-way verdict",
        "A disparity within the limit passes; one above the limit and above its null band fails; one above the limit "
        "but within the band, or of too few subjects, is inconclusive. A pass says that no unfairness was detected at "
        "this support, and nothing more.",
        "disparities",
    ),
    Term(
        "Percentile-t and BCa",
        "Both redraw whole clusters (subjects, else files, else items) with replacement. Percentile-t takes the "
        "percentiles of the redrawn scores, widened by Student's t, since few clusters vary less than the population. BCa "
        "also corrects for bias and for a spread that changes with the value. Below 20 clusters either is approximate; "
        "below 5 there is none.",
    ),
    Term(
        "Holm's correction",
        "Of many tests some succeed by chance. The smallest p-value is multiplied by the number of tests, the next by "
        "one less, and so on: the chance of even one false finding in the family stays below 5 %.",
        "comparisons",
    ),
    Term(
        "Interval of a rank",
        "All models are ranked anew on each resample of the same clusters; the interval holds the middle 95 % of these "
        "ranks. Ranks whose intervals overlap are not told apart by these data.",
        "ranks",
    ),
    Term(
        "Human ceiling",
        "What people score in the model's place, by the same metric on the same items. A left-out rater is compared with "
        "the other raters of the item; a random rater, and the mean over raters, with a truth that they helped to make, "
        "which flatters them. A model may exceed one rater and still err.",
        "ceilings",
    ),
    Term(
        "Steps",
        "What was done to the predictions before they were scored, such as smoothing over time or shifting by a lag, in "
        "order. The values before the steps stand beside those after. Steps that were tuned on the scored items flatter.",
        "steps",
    ),
    Term(
        "Thresholds of action units",
        "The score from which on a unit counts as present. They are stated or chosen on validation data, never on the "
        "scored items, and stand in every signature.",
        "units",
    ),
)
