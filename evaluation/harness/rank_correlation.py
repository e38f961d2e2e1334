"""Whether two lists of numbers put things in the same order: 1 all alike, 0 nothing to do with each
other, -1 the other way round. Equal numbers share their ranks.
"""

import math
import statistics


def ranks(values: list[float]) -> list[float]:
    """From 1; the mean of the places of what is equal."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for place in order[begin:end]:
            found[place] = (begin + 1 + end) / 2
        begin = end
    return found


def spearman(left: list[float], right: list[float]) -> float | None:
    """Correlation of ranks; None where either list has no two different numbers."""
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    return statistics.correlation(ranks(left), ranks(right))


def kendall(left: list[float], right: list[float]) -> float | None:
    """Tau-b: pairs in the same order less those in the other, of all that both tell apart."""
    balance = left_told = right_told = 0
    for i in range(len(left)):
        for j in range(i):
            one, other = sign(left[i] - left[j]), sign(right[i] - right[j])
            balance += one * other
            left_told += one != 0
            right_told += other != 0
    told = math.sqrt(left_told * right_told)
    return balance / told if told else None


def sign(value: float) -> int:
    return (value > 0) - (value < 0)
