"""Writes random histories of reviews with what the package fsrs makes of them, one history per line: `reference.py COUNT SEED > FILE`.

Each review is `rating,days since the last one,stability,difficulty,interval`. Needs `pip install fsrs==6.3.2` (MIT).
"""

import random
import sys
from datetime import datetime, timedelta, timezone

from fsrs import Card, Rating, Scheduler


def history(dice: random.Random) -> str:
    scheduler = Scheduler(
        desired_retention=0.9,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=365,
        enable_fuzzing=False,
    )
    card, now, reviews = Card(), datetime(2026, 1, 1, tzinfo=timezone.utc), []
    for place in range(dice.randint(1, 12)):
        on_time = (card.due - now).days if place else 0
        days = dice.choice([0, 1, on_time, on_time, dice.randint(0, 3 * on_time + 1)]) if place else 0
        now += timedelta(days=days)
        rating = dice.choice([1, 2, 3, 3, 3])
        card, _ = scheduler.review_card(card, Rating(rating), review_datetime=now)
        reviews.append(f"{rating},{days},{card.stability!r},{card.difficulty!r},{(card.due - now).days}")
    return " ".join(reviews)


def main() -> None:
    count, seed = (int(argument) for argument in sys.argv[1:3])
    dice = random.Random(seed)
    print("# rating,days since the last review,stability,difficulty,interval of each review, by fsrs 6.3.2")
    for _ in range(count):
        print(history(dice))


main()
