"""A baseline and six candidates, named by the decision that each leads to with rope=0.02."""

ROPE = 0.02

BASELINE = [[4500, 500], [500, 4500]]
MUCH_WORSE = [[4000, 1000], [1000, 4000]]
WORSE = [[4380, 620], [620, 4380]]
UNDECIDED = [[4415, 585], [585, 4415]]
EQUIVALENT = [[4495, 505], [505, 4495]]
BETTER = [[4620, 380], [380, 4620]]
MUCH_BETTER = [[4900, 100], [100, 4900]]
