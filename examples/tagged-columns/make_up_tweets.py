"""Make `tweets.conll` up: 300 tweets with gold tags, and two systems that tag them."""

import random
from pathlib import Path

FILE = Path(__file__).parent / "tweets.conll"
TYPES = ("LOC", "PER")
MISSED, INVENTED = {"CRF": 0.25, "BERT": 0.12}, {"CRF": 0.02, "BERT": 0.01}


def main() -> None:
    """Write the file."""
    rng = random.Random(3)  # noqa: S311 (made-up data)
    lines = ["# global.columns = FORM GOLD CRF BERT"]
    for _ in range(300):
        gold = tweet(rng)
        hard = rng.random()  # the systems miss the same entities, mostly
        said = [tagged(gold, system, hard, rng) for system in MISSED]
        lines += [f"word{place} {' '.join(tags)}" for place, tags in enumerate(zip(gold, *said, strict=True), 1)]
        lines.append("")
    FILE.write_text("\n".join(lines))


def tweet(rng: random.Random) -> list[str]:
    """Tag six words; four tweets in ten have no entity."""
    tags = ["O"] * 6
    if rng.random() < 0.6:
        for place in rng.sample((0, 2, 4), rng.choice((1, 1, 2))):
            kind = rng.choice(TYPES)
            tags[place] = f"B-{kind}"
            if rng.random() < 0.4:
                tags[place + 1] = f"I-{kind}"
    return tags


def tagged(gold: list[str], system: str, hard: float, rng: random.Random) -> list[str]:
    """Miss some entities, and invent others."""
    tags = list(gold)
    for place, tag in enumerate(gold):
        if tag.startswith("B-") and 0.5 * hard + 0.5 * rng.random() < MISSED[system]:
            tags[place : place + 2] = ["O", "O" if tags[place + 1].startswith("I-") else tags[place + 1]]
        elif tag == "O" and rng.random() < INVENTED[system]:
            tags[place] = f"B-{rng.choice(TYPES)}"
    return tags


if __name__ == "__main__":
    main()
