"""Item statistics by the functions of Python's standard library, one learner at a time: what `statistics` of the core is compared with.

Reads [{"worth": [points], "marks": [[points or null]], "times": [[tenths of a second]]}], points in ten-thousandths with a row for each learner, and
times with a row for each item, and writes the statistics of each.
"""

import json
import math
import statistics
import sys


def correlation(one, other):
    if len(one) < 2 or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return statistics.correlation(one, other)


def efficiency(one, other):
    if len(one) < 2 or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    most = statistics.covariance(sorted(one), sorted(other))
    return statistics.covariance(one, other) / most


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else None


def analysed(worth, marks, times):
    points = [value / 10000 for value in worth]
    rows = [[None if mark is None else mark / 10000 for mark in row] for row in marks]
    complete = [row for row in rows if None not in row]
    totals = [math.fsum(row) for row in complete]
    items = []
    for item, most in enumerate(points):
        own = [row[item] for row in complete]
        rest = [round(total - mark, 4) for total, mark in zip(totals, own)]
        given = [row[item] for row in rows if row[item] is not None]
        items.append(
            {
                "attempts": len(given),
                "facility": statistics.mean(given) / most if given and most else None,
                "deviation": deviation(own),
                "discrimination": correlation(own, rest),
                "efficiency": efficiency(own, rest),
                "median": statistics.median(times[item]) if times[item] else None,
            }
        )
    spread = deviation([round(total, 4) for total in totals])
    alpha = None
    if spread and len(points) > 1:
        variances = math.fsum(statistics.variance([row[item] for row in complete]) for item in range(len(points)))
        alpha = len(points) / (len(points) - 1) * (1 - variances / spread**2)
    return {
        "items": items,
        "attempts": len(complete),
        "mean": statistics.mean(totals) if totals else None,
        "deviation": spread,
        "alpha": alpha,
        "standard_error": None if alpha is None else spread * math.sqrt(1 - alpha),
    }


json.dump([analysed(**case) for case in json.load(sys.stdin)], sys.stdout)
