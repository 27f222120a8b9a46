"""Tags that a careless tagger might make of made-up truth, and what others say of them.

The figures are those of seqeval 1.2.2 (``precision_recall_fscore_support``), with which nervaluate 1.2.1 (strict
evaluation) agrees to all digits where it can read the tags: IOB1 and IOB2.
"""

import random

TYPES = ["LOC", "ORG", "PER"]
SCHEMES = ["IOB1", "IOB2", "BIOES"]

PRECISION = {
    "IOB1": [0.5268817204301075, 0.4418604651162791, 0.5876288659793815],
    "IOB2": [0.5416666666666666, 0.45454545454545453, 0.6],
    "BIOES": [0.44554455445544555, 0.5057471264367817, 0.584070796460177],
}
RECALL = {
    "IOB1": [0.6363636363636364, 0.6129032258064516, 0.6705882352941176],
    "IOB2": [0.6753246753246753, 0.6451612903225806, 0.7058823529411765],
    "BIOES": [0.5844155844155844, 0.7096774193548387, 0.7764705882352941],
}
F1_AVERAGES = {
    "IOB1": {"micro": 0.5760000000000001, "macro": 0.572119242707478, "weighted": 0.577981390061222},
    "IOB2": {"micro": 0.5984251968503937, "macro": 0.5943793504487146, "weighted": 0.6004054426019743},
    "BIOES": {"micro": 0.5904761904761905, "macro": 0.5876295570134648, "weighted": 0.5902531276819604},
}


def made_up(scheme, seed=7, n_sentences=60):
    """Return true and predicted tags; a fifth of the predictions are any tag at all, improper sequences included."""
    rng = random.Random(seed)  # noqa: S311 (made-up data)
    gold = [_sentence(scheme, rng) for _ in range(n_sentences)]
    pool = sorted({tag for sentence in gold for tag in sentence})
    return gold, [[rng.choice(pool) if rng.random() < 0.2 else tag for tag in sentence] for sentence in gold]


def _sentence(scheme, rng):
    tags = []
    while len(tags) < 8:
        kind, length = rng.choice(TYPES), rng.choice([0, 0, 1, 1, 2, 3])
        prefixes = ["B"] + ["I"] * (length - 1)
        if scheme == "BIOES":
            prefixes = ["S"] if length == 1 else ["B"] + ["I"] * (length - 2) + ["E"]
        if scheme == "IOB1":
            prefixes = ["B" if tags and tags[-1][2:] == kind else "I"] + ["I"] * (length - 1)
        tags += [f"{prefix}-{kind}" for prefix in prefixes] if length else ["O"]
    return tags


def spans_token_by_token(tags):
    """Read tags as conlleval.pl does, by its two tables of what begins and what ends a chunk."""
    spans, begin = [], 0
    before, kind_before = "O", ""
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, kind = tag.partition("-")
        other = kind != kind_before
        ends = before in "ES" or (before in "BI" and prefix in "BSO") or (before != "O" and other)
        begins = prefix in "BS" or (before in "EOS" and prefix in "EI") or (prefix != "O" and other)
        if ends and before != "O":
            spans.append((begin, position, kind_before))
        if begins:
            begin = position
        before, kind_before = prefix, kind
    return spans
