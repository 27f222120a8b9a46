"""Every sentence about a result says what its figures say.

Results are made by comparing. What the terminal, messages, Markdown, the page and `report.json` say of them is split
into sentences. Each must match a pattern of `SENTENCES`: the numbers that a pattern names are compared with the result,
and its condition is asked. A sentence without a pattern fails, so that a new one gets its own.
"""

import re
import warnings
from functools import cache, partial
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    LabelledPool,
    assert_at_least,
    assert_better,
    assert_equivalent,
    assert_not_inferior,
    assert_not_worse,
    compare,
)
from pytest_bayesf1.gates.policy import Judgement
from pytest_bayesf1.reports.entry import Place, Report, entry_of
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.terminal import brief_lines, report_lines
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.results.policy import BETTER, NOT_INFERIOR, NOT_WORSE, Policy
from pytest_bayesf1.session import Record, Session, active

PLACE = Place(test="test_spam.py::test_f1", file="test_spam.py", line=7)
NAMES = ("ham", "spam", "egg")


def examples(both, only_old, only_new, neither, classes=2):
    """Return truth and predictions, of which so many are right on either side."""
    right = both * [(1, 1)] + only_old * [(1, 0)] + only_new * [(0, 1)] + neither * [(0, 0)]
    truth = [place % classes for place in range(len(right))]
    sides = [[(t + 1 - ok[side]) % classes for t, ok in zip(truth, right, strict=True)] for side in (0, 1)]
    return [[NAMES[each] for each in column] for column in (truth, *sides)]


def matrix(*counts):
    return ConfusionMatrix([counts[:2], counts[2:]], labels=["ham", "spam"])


OUTCOMES = {
    "≪": (900, 40, 10, 50),
    "<": (500, 18, 6, 20),
    "≈": (950, 3, 3, 44),
    ">": (500, 6, 18, 20),
    "≫": (900, 10, 40, 50),
    "?": (700, 60, 50, 190),
    "no worse": (1400, 90, 130, 380),
    "few": (12, 2, 1, 1),
}
DEMANDS = (assert_not_worse, assert_not_inferior, assert_better, assert_equivalent)


def judged(demand, *data: Any, **arguments: Any):
    """Judge by an assertion; return the report and the message of a failure."""
    records: list[Record] = []
    message = ""
    with active(Session(listener=records.append)):
        try:
            demand(*data, **arguments)
        except AssertionError as error:
            message = str(error)
    return Report.of([entry_of(each, in_full=True).at(PLACE) for each in records]), message


def judged_by(policy: Policy, result):
    judgement = Judgement.of(result, policy)
    return Report.of([entry_of(judgement.record(), in_full=True).at(PLACE)]), judgement.text(in_full=True)


def of_history(policy, outcome, changes):
    result = compare(*examples(*OUTCOMES[outcome]), measure="accuracy", rope=0.01)
    return judged_by(policy, result.with_history([EarlierChange(each, 0.004) for each in changes]))


def of_pool(policy, n_labelled):
    truth, old, new = examples(850, 60, 30, 60)
    every = {place: truth[place] for place in range(0, 1000, 1000 // n_labelled)}
    pool = LabelledPool.from_predictions(old, new, every)
    return judged_by(policy, compare(pool, measure="accuracy", rope=0.01))


QUIET = [0.001 * (-1) ** each for each in range(12)]
FLOOR = examples(900, 60, 20, 20)
CASES = {
    **{
        f"{outcome} {demand.__name__}": partial(
            judged, demand, *examples(*counts), measure="accuracy", rope=0.03 if outcome == "no worse" else 0.01
        )
        for outcome, counts in OUTCOMES.items()
        for demand in DEMANDS
    },
    "lopsided rope": lambda: judged(assert_better, *examples(900, 10, 40, 50), rope=(-0.005, 0.02)),
    "no loss allowed": lambda: judged(assert_not_worse, *examples(500, 18, 6, 20), rope=(0, 0.01)),
    "classes": lambda: judged(assert_not_worse, *examples(900, 60, 20, 20, classes=3), rope=0.01, per_class=True),
    "slices": lambda: judged(
        assert_not_worse, *FLOOR, rope=0.01, slices={"language": [("en", "de", "xh")[n % 3] for n in range(1000)]}
    ),
    "clusters": lambda: judged(assert_not_worse, *FLOOR, rope=0.01, clusters=[n // 10 for n in range(1000)]),
    "matrices": lambda: judged(assert_not_worse, matrix(450, 50, 60, 440), matrix(430, 70, 60, 440), rope=0.01),
    "two test sets": lambda: judged(
        assert_not_worse, matrix(450, 50, 60, 440), matrix(230, 20, 160, 640), rope=0.01, measure="accuracy"
    ),
    "shares decide": lambda: judged(
        assert_not_worse, matrix(900, 100, 5, 15), matrix(400, 100, 80, 320), rope=0.01, measure="precision[spam]"
    ),
    "two examples": lambda: judged(assert_not_worse, ["a", "b", "b"], ["a", "b", "b"], ["b", "a", "b"], rope=0.05),
    **{
        f"history {outcome} {policy.key}": partial(of_history, policy, outcome, QUIET)
        for outcome in ("≪", "<", "?")
        for policy in (NOT_WORSE, BETTER)
    },
    "pool": lambda: of_pool(NOT_WORSE, 50),
    "pool, proof": lambda: of_pool(NOT_INFERIOR, 200),
    "above the floor": lambda: judged(assert_at_least, *FLOOR[:2], 0.9, measure="accuracy"),
    "below the floor": lambda: judged(assert_at_least, FLOOR[0], FLOOR[2], 0.96, measure="f1[spam]"),
    "at the floor": lambda: judged(assert_at_least, FLOOR[0], FLOOR[2], 0.92, measure="accuracy"),
    "floor not proven": lambda: judged(assert_at_least, FLOOR[0], FLOOR[2], 0.915, measure="accuracy", proven=True),
}


class _Text(HTMLParser):
    """The lines of a page; cells of facts behind their names, and no tables of more."""

    HIDDEN = ("svg", "script", "style", "table", "head", "pre", "footer", "nav", "header")

    def __init__(self, page):
        super().__init__()
        self.lines, self.hidden = [""], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in self.HIDDEN
        if tag in ("p", "li", "dt", "summary", "figcaption", "h2", "h3", "h4", "div"):
            self.lines.append("")
        if tag == "dd":
            self.lines[-1] += ": "

    def handle_endtag(self, tag):
        self.hidden -= tag in self.HIDDEN
        if tag in ("p", "li", "dd", "summary", "figcaption", "h2", "h3", "h4", "div"):
            self.lines.append("")

    def handle_data(self, data):
        if not self.hidden:
            self.lines[-1] += data


def of_markdown(text):
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]*>|\*\*|\\(?=[^\w\s]|_)|^- ", "", text, flags=re.MULTILINE)).replace("\xa0", " ")
    for line in text.splitlines():
        cells = re.fullmatch(r"\| ([^|]*) \| ([^|]*) \|", line)
        if cells:
            yield f"{cells[1]}: {cells[2]}"
        elif not line.startswith(("|", "[", "python ")):
            yield line.lstrip("# ")


def of_message(text):
    """Join the lines that are wrapped: figures begin with a name, of eleven columns."""
    name = re.compile(r"  (\S.{10}) ?(\S.*)")
    known: tuple[str, ...] = (
        "demanded",
        "also failed",
        "change",
        "ROPE",
        "chance",
        "baseline",
        "candidate",
        "gate finds",
        "to settle",
        "right",
    )
    known = (*known, "F1 falls in", "errors", "model", "computed", "means", "BF", "Yang & Liu", "Goutte & G.")
    joined: list[str] = []
    is_note = False
    for line in text.splitlines():
        found = name.fullmatch(line)
        if found and (found[1].strip() in known or found[1].startswith(("95% likely", "tested on"))):
            joined.append(f"{found[1].strip()}: {found[2]}")
            is_note = False
        elif line.startswith(" " * 14) or (is_note and line.startswith("  ")):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
            is_note = line.startswith("  ")
    return joined


def sentences(report, message):
    """Yield every sentence, with the format it is from."""
    formats = {
        "terminal": [line for line, _ in report_lines(report)],
        "brief": [
            re.sub(r"^  (.{11}) ", lambda found: f"{found[1].strip()}: ", line) for line, _ in brief_lines(report)
        ],
        "message": of_message(message),
        "Markdown": of_markdown(markdown(report)),
        "page": _Text(html(report).partition("What the words mean")[0]).lines,
        "report.json": [
            text for each in report.entries for text in (each.headline, each.advice, *each.notes, *each.caveats)
        ],
    }
    for name, lines in formats.items():
        for line in lines:
            for each in re.split(r"(?<=[.?]) (?=[A-Z])", line.strip()):
                if each:
                    yield name, each


def decision_of(e):
    """Decide anew, by the definition of each decision."""
    (low, high), (worse, better) = e.hdi, e.rope
    if high < worse:
        return "≪"
    if low > better:
        return "≫"
    if worse < low and high < better:
        return "≈"
    return "<" if e.p_below_rope > 0.75 else ">" if e.p_above_rope > 0.75 else "?"


def needed(e):
    return e.examples_needed.of(e.demanded)


VALUES = {
    "change": lambda e: 100 * e.change,
    "moved": lambda e: 100 * abs(e.change),
    "mean": lambda e: 100 * e.mean,
    "before": lambda e: e.baseline.observed,
    "after": lambda e: e.candidate.observed,
    "low": lambda e: 100 * e.hdi[0],
    "high": lambda e: 100 * e.hdi[1],
    "small": lambda e: 100 * min(map(abs, e.hdi)),
    "large": lambda e: 100 * max(map(abs, e.hdi)),
    "allow": lambda e: -100 * e.rope[0],
    "ropelow": lambda e: 100 * e.rope[0],
    "demand": lambda e: 100 * e.rope[1],
    "lost": lambda e: 100 * e.p_lost_more.alone,
    "usually_lost": lambda e: 100 * e.p_lost_more.usual,
    "gained": lambda e: 100 * e.p_gained_more.alone,
    "usually_gained": lambda e: 100 * e.p_gained_more.usual,
    "below": lambda e: 100 * e.p_below_rope,
    "inside": lambda e: 100 * e.p_in_rope,
    "above": lambda e: 100 * e.p_above_rope,
    "worse": lambda e: 100 * e.p_worse,
    "better": lambda e: 100 * e.p_better,
    "n_earlier": lambda e: len(e.earlier_changes),
    "n_old": lambda e: e.n_samples[0],
    "n_new": lambda e: e.n_samples[1],
    "n_clusters": lambda e: e.clusters.n[0],
    "more": needed,
    "times": lambda e: 1 + needed(e) / min(e.n_samples),
    "found": lambda e: 100 * e.detectable_losses.power_80,
    "hard": lambda e: 100 * e.detectable_losses.cautious_80,
    "both": lambda e: e.contingency.both_right,
    "only_old": lambda e: e.contingency.only_baseline,
    "only_new": lambda e: e.contingency.only_candidate,
    "neither": lambda e: e.contingency.both_wrong,
    "differ": lambda e: e.contingency.only_baseline + e.contingency.only_candidate,
    "pool": lambda e: e.pool.n_pool,
    "labelled": lambda e: e.pool.n_labelled,
    "pool_differ": lambda e: e.pool.n_differ,
    "labelled_differ": lambda e: e.pool.n_labelled_differ,
    "half": lambda e: 50 * (e.hdi[1] - e.hdi[0]),
    "indep_low": lambda e: 100 * e.clusters.independent_hdi[0],
    "indep_high": lambda e: 100 * e.clusters.independent_hdi[1],
    "share_old": lambda e: 100 * e.class_shares.baseline,
    "share_new": lambda e: 100 * e.class_shares.candidate,
    "at_old": lambda e: 100 * e.class_shares.at_baseline,
    "at_new": lambda e: 100 * e.class_shares.at_candidate,
    "old_low": lambda e: e.baseline.hdi[0],
    "old_high": lambda e: e.baseline.hdi[1],
    "new_low": lambda e: e.candidate.hdi[0],
    "new_high": lambda e: e.candidate.hdi[1],
    "measure": lambda e: e.measure_words,
    "score": lambda e: e.score.observed,
    "score_mean": lambda e: e.score.mean,
    "score_low": lambda e: e.score.hdi[0],
    "score_high": lambda e: e.score.hdi[1],
    "floor": lambda e: e.floor,
    "p_floor": lambda e: 100 * e.p_below_floor,
    "n": lambda e: e.n_samples,
    "words": lambda e: e.decision_words,
}
ROUNDED = ("more", "times", "found", "hard")
"""To two digits that count."""


def agrees(name, text, value):
    """Whether a number is the value as far as it is written, or a text the same."""
    if isinstance(value, str):
        return text.casefold() == value.casefold()
    if text in ("<1", ">99"):
        return value < 0.5 if text == "<1" else value > 99.5
    number = float(text.replace("−", "-").replace(",", ""))
    step = 10.0 ** -len(text.partition(".")[2])
    return abs(number - value) <= 0.51 * step + 1e-9 + (0.05 * abs(value) if name in ROUNDED else 0)


def fragment(text):
    """Make a pattern: words in braces are numbers of `VALUES`, or texts of it."""
    texts = ("measure", "words")
    return re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{'.+?' if m[1] in texts else '[<>]?[−+]?[0-9,.]*[0-9]'})", text)


LEVELS = ("{before} → {after}", "{old_low} to {old_high} → {new_low} to {new_high}")
"""The scores, or of a pool, which has few labels, their likely ranges."""
MOVED = r"(?:test_f1: )?{measure} (?P<way>fell|rose) {moved} points, from {before} to {after}"
STAYED = r"(?:test_f1: )?{measure} stayed at {before}"
RANGES = (r" \(95% likely {low} to {high}\)", r" \(95% likely {small} to {large}\)")
CAUGHT = r"losses of {found} points? in 80% of cases(?: if spread evenly, (?:none|{hard}) at worst)?"
CHANCES = {
    way: [
        rf"that (?:anything|more than {{{end}}} points?) was {way}: {chance}"
        for chance in (
            f"{{{way}}}%",
            f"{{{way}}}% by this test set alone; {{usually_{way}}}% if nine changes in ten stay within [0-9.]+ points?",
            f"{{usually_{way}}}%, going by the {{n_earlier}} changes before; {{{way}}}% by this test set alone",
        )
    ]
    for way, end in (("lost", "allow"), ("gained", "demand"))
}
ADVICE = "(?:do: |Do: |What to do: )?"
SAID = "(?:note: |test_spam.py::test_f1: )?"


def is_open(e):
    return decision_of(e) == "?" and e.hdi[0] <= e.rope[0]


def _by(decisions):
    return lambda e: decision_of(e) in decisions


SENTENCES = [
    # what happened
    *((f"{MOVED}{each}", None) for each in RANGES),
    (STAYED + RANGES[0], None),
    *(
        (rf"(?:test_f1: )?{{measure}} (?P<way>fell|rose) {{moved}} points{each}", lambda e: e.pool is not None)
        for each in RANGES
    ),
    *((f"{MOVED}{each}: significantly better", _by("≫")) for each in RANGES),
    *(
        (f"{MOVED}{each}; the chance that it {gained} is {{gained}}% by this test set alone", _by(">"))
        for each in RANGES
        for gained in ("gained more than {demand} points?", "is better")
    ),
    *(
        (
            (
                rf"{MOVED}{each} as tested, but it (?P<turned>fell|rose) [0-9.]+ points where both sides have the "
                "(?:baseline|candidate)'s class shares: undecided"
            ),
            lambda e: e.class_shares.decides,
        )
        for each in RANGES
    ),
    ("You allow (?:no loss|{allow})", _by("≪<≈>≫?")),
    ("You allow (?:no loss|{allow}): too few examples to tell", is_open),
    (
        "You allow {allow}: no worse than that; whether it is better is open",
        lambda e: decision_of(e) == "?" and e.hdi[0] > e.rope[0],
    ),
    ("You allow {allow}: the two are practically equivalent", _by("≈")),
    ("You allow (?:no loss|{allow}); the chance that it lost more is {lost}% by this test set alone", _by("<")),
    (
        (
            "You allow (?:no loss|{allow}); the chance that it lost more is {usually_lost}%, going by the {n_earlier} "
            "changes before"
        ),
        _by("<"),
    ),
    *(
        (rf"{re.escape(sign)} {{measure}} {{change}} points? \(you {asked}\): {levels}", _by(sign))
        for levels in LEVELS
        for sign in "≪<≈>≫?"
        for asked in ("allow no loss", "allow {allow}", "allow ±{allow}", "demand more than {demand}")
    ),
    *(
        (rf"observed: {{measure}} {levels}, {{change}} points? \(you {asked}\)", None)
        for levels in LEVELS
        for asked in ("allow no loss", "allow {allow}", "allow ±{allow}", "demand more than {demand}")
    ),
    *(
        (rf"(?:FAILED|warned|undecided|passed) +(?:test_f1|- ).*? +{levels} +{{change}} +{{low}} to {{high}} .*", None)
        for levels in LEVELS
    ),
    ("(?:Failed|Could not tell): too few examples to tell whether the candidate is worse than you allow", is_open),
    ("(?:Failed|Warned|Passed): the candidate is {words}", lambda e: not is_open(e)),
    ("Failed: the data do not show that the candidate is better", lambda e: e.hdi[0] <= e.rope[1]),
    ("Failed: the data do not show that the two are equivalent", lambda e: decision_of(e) in "<>?"),
    ("Could not tell: which is better depends on the class shares", lambda e: e.class_shares.decides),
    # what to do
    (ADVICE + r"Find what changed \(data, features, labels\) before merging", _by("≪")),
    ("The loss is clearly larger than you allow; the same predictions always give this verdict", _by("≪")),
    (
        ADVICE + r"Find what changed .*: the candidate is clearly worse, and more examples will not change that",
        _by("≪"),
    ),
    (ADVICE + "Improve the candidate: it is more likely worse than better", lambda e: e.p_worse > 0.5),
    (ADVICE + "Keep the baseline: the candidate is as good, but not better by .*", _by("≈")),
    (
        ADVICE + "Use assert_not_worse if an improvement is welcome: .* better by more than you call equivalent",
        _by("≫"),
    ),
    ("Use assert_not_worse if an improvement is welcome", _by(">")),
    (ADVICE + "Test on more examples", lambda e: e.policy != "better" or e.hdi[0] <= 0),
    (ADVICE + "Test on more examples, or count smaller improvements too, by a narrower rope", lambda e: e.hdi[0] > 0),
    (ADVICE + "It would take about {times} times as many examples to settle it", needed),
    (
        ADVICE
        + "It would take about {times} times as many examples to settle it, or count smaller improvements too, by a "
        "narrower rope",
        lambda e: e.hdi[0] > 0,
    ),
    (ADVICE + "No number of examples is likely to settle it", lambda e: needed(e) is None and e.pool is None),
    (
        ADVICE + "If the two are equally good, this pool is too small to prove it; a real difference may show sooner",
        lambda e: needed(e) is None and e.pool.n_labelled < e.pool.n_pool and e.decision == "?",
    ),
    (
        ADVICE + "No number of labels of this pool is likely to settle it",
        lambda e: needed(e) is None and e.pool is not None and e.decision in ("<", ">"),
    ),
    ("These data cannot tell whether you lose more than you allow", is_open),
    (
        r"The gate passes nevertheless; assert_not_inferior \(fail_on: unproven\) would fail it",
        lambda e: e.verdict == "undecided" and e.hdi[0] <= e.rope[0],
    ),
    (
        (
            "These data suggest that the score fell(?: by more than the {allow} points? you allow|, and you "
            "allow no loss), but "
            "do not prove it"
        ),
        _by("<"),
    ),
    (
        "These data do not rule out that the score fell by more than the {allow} points? you allow",
        lambda e: e.hdi[0] <= e.rope[0],
    ),
    (
        "These data do not show that the score rose by more than the {demand} points? you demand",
        lambda e: e.hdi[0] <= e.rope[1],
    ),
    (
        "The likely range reaches below {ropelow}, beyond what you call equivalent",
        lambda e: e.hdi[0] <= e.rope[0] and e.hdi[1] < e.rope[1],
    ),
    (
        "The likely range reaches above {demand}, beyond what you call equivalent",
        lambda e: e.hdi[0] > e.rope[0] and e.hdi[1] >= e.rope[1],
    ),
    (
        "The likely range reaches below {ropelow} and above {demand}, beyond what you call equivalent",
        lambda e: e.hdi[0] <= e.rope[0] and e.hdi[1] >= e.rope[1],
    ),
    (ADVICE + "Say which class shares count: prevalence can be .*", lambda e: e.class_shares.decides),
    ("do: Nothing: this passes", lambda e: e.verdict == "passed"),
    # figures
    *(
        (rf"{begin}{chance}", None)
        for begin in ("chance: ", "The chance ")
        for way in CHANCES
        for chance in CHANCES[way]
    ),
    ("(?:95% likely|95% HDI): {low} to {high}", None),
    ("95% likely: {low} to {high}, {words}", None),
    ("mean, in points: {mean}", None),
    (r"you allow \(ROPE\): (?:±{demand}|{ropelow} to [+0-9.]+)", None),
    (r"ROPE: ±{demand} points?", None),
    ("change: {change} points?   95% likely {low} to {high}", None),
    ("below, in, above the ROPE, by this test set alone: {below}%, {inside}%, {above}%", None),
    ("worse, better, by this test set alone: {worse}%, {better}%", None),
    (r"baseline: {before}(?: \(95% likely {old_low} to {old_high}\))? on {n_old} examples", None),
    (r"candidate: {after}(?: \(95% likely {new_low} to {new_high}\))? on {n_new} examples", None),
    (f"(?:a gate finds|gate finds): {CAUGHT}; you (?:allow no loss|allow {{allow}})", None),
    (
        "(?:a gate finds|gate finds): no loss with probability 80%, however large",
        lambda e: e.detectable_losses.power_80 is None,
    ),
    (f"With {{n_old}}(?: and {{n_new}})? examples this gate catches {CAUGHT}", None),
    (f"With {{n_clusters}} clusters this gate catches {CAUGHT}", None),
    (
        "With {n_old} examples this gate is unlikely to catch any loss, however large",
        lambda e: e.detectable_losses.power_80 is None,
    ),
    (
        (
            "(?:to settle|to settle it): About {more} more (?:examples?|labels?) would give an even chance "
            "of settling it"
        ),
        lambda e: needed(e) > 0,
    ),
    (
        (
            "(?:to settle|to settle it): About {times} times as many (?:examples|labels) would give an "
            "even chance of "
            "settling it"
        ),
        lambda e: needed(e) > 0,
    ),
    (
        "right: both {both}, only the baseline {only_old}, only the candidate {only_new}, neither {neither}",
        lambda e: sum(vars(e.contingency).values()) == e.n_samples[0],
    ),
    ("They differ on {differ} of {n_old}", None),
    ("The two answer {differ} examples differently", None),
    (
        (
            r"The observed {measure} (?P<way>fell|rose) {moved} points?(?:, (?P<part>\d+%|all|more than "
            r"all) of it by .* "
            r"\(\d+ → \d+\))?"
        ),
        None,
    ),
    ("The observed {measure} is the same on both sides", lambda e: round(e.change, 4) == 0),
    (
        (
            "Both sides share their examples, .*: the HDI is ±{half} points, not ±[0-9.]+ points, as it would be for "
            "unrelated scores"
        ),
        None,
    ),
    ("Here pairing does not make the interval narrower", None),
    (
        (
            "{n_clusters} clusters, {n_old} examples, design effect [0-9.]+: with every example drawn "
            "on its own, the HDI "
            "would be {indep_low} to {indep_high}"
        ),
        None,
    ),
    (SAID + "The share of .* (?P<shares>fell|rose) from {share_old}% to {share_new}%", None),
    (
        (
            "{measure} depends on it: with equal shares the change is {at_old} points at the baseline's and "
            "{at_new} points "
            "at the candidate's, not {change} points"
        ),
        None,
    ),
    (
        SAID + "The observed change, {change} points, lies outside its likely range: .*",
        lambda e: not e.hdi[0] <= e.change <= e.hdi[1],
    ),
    (
        (
            "{labelled} of {pool} examples of the pool have a label, {labelled_differ} of them among the "
            "{pool_differ} on which "
            "the two differ"
        ),
        None,
    ),
    ("Dot: observed; bar: 95% likely(?:; shaded: allowed)?(?:; ticks: the {n_earlier} changes before)?", None),
    # floors
    (
        r"(?:test_f1: )?Above the floor of {floor}: {measure} is {score} \(95% likely {score_low} to {score_high}\)",
        lambda e: e.score.hdi[0] > e.floor,
    ),
    (
        r"(?:test_f1: )?Below the floor of {floor}: {measure} is {score} \(95% likely {score_low} to {score_high}\)",
        lambda e: e.score.hdi[1] < e.floor,
    ),
    (
        (
            r"(?:test_f1: )?Not clearly below the floor of {floor}: {measure} is {score} \(95% likely {score_low} to "
            r"{score_high}\), P\(below\) {p_floor}%"
        ),
        lambda e: e.score.hdi[0] <= e.floor <= e.score.hdi[1],
    ),
    ("Passed: the score is above the floor", lambda e: e.score.hdi[0] > e.floor),
    ("Failed: the score is below the floor", lambda e: e.score.hdi[1] < e.floor),
    ("Passed: the score is not clearly below the floor", lambda e: e.score.hdi[0] <= e.floor <= e.score.hdi[1]),
    ("Failed: the score is not clearly above the floor", lambda e: e.score.hdi[0] <= e.floor <= e.score.hdi[1]),
    ("{measure} {score} is below the floor of {floor}", lambda e: e.score.hdi[1] < e.floor),
    ("{measure} {score} is not clearly above the floor of {floor}", lambda e: e.score.hdi[0] <= e.floor),
    (
        ADVICE + "Find what changed .*, or lower the floor .*: the score is clearly below it",
        lambda e: e.score.hdi[1] < e.floor,
    ),
    (
        ADVICE + "Test on more examples, or lower the floor in a commit that says why: the score may lie below it",
        lambda e: e.score.hdi[0] <= e.floor <= e.score.hdi[1],
    ),
    (r"(?:95% likely: |95% HDI: ){score_low} to {score_high}(?:, P\(below the floor\) {p_floor}%)?", None),
    (r"P\(below {floor}\): {p_floor}%", None),
    ("posterior mean: {score_mean}", None),
    (r"observed: {measure} {score} on (?:500 of )?{n} examples \(your floor is {floor}\)", None),
    ("(?:observed: {score} on|tested on:|Tested on) (?:500 of )?{n} examples", None),
    (r"(?:FAILED|undecided|passed) +test_f1 +{score} +{score_low} to {score_high} +≥ {floor}", None),
]
PATTERNS = [(re.compile(fragment(pattern)), condition) for pattern, condition in SENTENCES]

WITHOUT_FIGURES = [
    re.compile(each)
    for each in (
        r"(?:[❌⚠✅❔]\S* )?The gate (?:failed|warned|passed|could not tell).*",
        r"[≪<≈>≫?]",
        r"---: ---",
        r".* before → after .*",
        r"more: -v for every figure; --report DIR for a page",
        r"(?:demanded|model|prior|draws|chains|computed|Monte Carlo error|errors|also failed|F1 falls in): .*",
        r"(?:means|BF|Yang & Liu|Goutte & G\.): .*",
        r"(?:By|Probabilities –|Examples of) .*",
        r"Errors",
        r"Statistics",
        r"Both classifiers",
        r"Where the two agree",
        r"Score",
        r"(?:Bayes factors)",
        r"Frequentist tests",
        r"How it was computed",
        r"Confusion matrix",
        r"What pairing could bring",
        r"About the test sets:",
        r"Why: classes, errors and examples",
        r"To run it again:",
        r"In Python, with the same data under these names:",
        r"(?:\S+ )?test_f1",
        r"(?:Passed|Failed|Warned|Could not tell): test_f1",
        r"(?:\S+ )*· assert_\w+ · test_spam.py::test_f1 link",
        r"The tests of Yang & Liu .*",
        r"With π₁ for the probability .*",
        r"Above 3 the data .*",
        r"(?:\S+ ± )?\S+ for a difference .*",
        r"Each interval is right 95% .*",
        r"Each error's share of the observed change.*",
        r"Density on a logarithmic axis.*",
        r"The candidate's confusion matrix minus .*",
        r"worse: more errors, .*",
        r"How likely every true .*",
        r"Set prevalence to .*",
        r"It can also be shares such as fraud=0\.01, .*",
        r".+; below the curves, the observed scores",
        r"Two test sets leave more room .*",
        r"To pair (?:them|the two), .*",
        r"The interval is wider than necessary .*",
        r"On the edge: .*",
        r"Read it as a close call",
        r"Documentation of .*",
        r"\d of \d classes and slices failed",
        r"If none truly lost more .*",
        r"The candidate's best and worst slices .*",
        r"(?:\S+ )*· (?:Judgement|assert_\S+|fail_on \S+).*",
    )
]
"""Titles, and sentences about methods."""


def signs_agree(found, entry):
    """Whether fell and rose are said as the figures moved."""
    moves = {"way": lambda: entry.change, "shares": lambda: entry.class_shares.candidate - entry.class_shares.baseline}
    return all((move() > 0) == (found[name] == "rose") for name, move in moves.items() if name in found)


def holds(sentence, entry):
    """Whether a pattern matches a sentence, and the entry says the same."""
    for pattern, condition in PATTERNS:
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        found = {name: text for name, text in match.groupdict().items() if text is not None}
        try:
            same = all(agrees(name, text, VALUES[name](entry)) for name, text in found.items() if name in VALUES)
            if same and signs_agree(found, entry) and (condition is None or condition(entry)):
                return True
        except (AttributeError, TypeError):  # a sentence about what this entry lacks
            continue
    return False


@cache
def case(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CASES[name]()


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_sentence_says_what_its_figures_say(name):
    report, message = case(name)
    wrong = {
        (place, text)
        for place, text in sentences(report, message)
        if not any(each.fullmatch(text.rstrip(".")) for each in WITHOUT_FIGURES)
        and not any(holds(text.rstrip("."), entry) for entry in report.entries)
    }
    assert not wrong
