"""What is stored, and a better candidate."""

from pytest_bayesf1 import ConfusionMatrix

BASELINE = ConfusionMatrix([[4_000, 1_000], [1_000, 4_000]])
BETTER = ConfusionMatrix([[4_500, 500], [500, 4_500]])
