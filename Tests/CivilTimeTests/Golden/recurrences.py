"""Writes recurrences.txt: random rules of RFC 5545 and their occurrences according to python-dateutil.

    python3 recurrences.py > recurrences.txt
    python3 recurrences.py 3000 > FILE    # more rules, for TRIGGERBENCH_RECURRENCES=FILE

A line has tab-separated columns: the zone, the date of DTSTART, the times of day, RRULE, the dates of EXDATE (each at
all times of day), and the first occurrences in minutes since 1970. The list is complete if it is shorter than LIMIT.
RFC 5545 and this project move a time in a gap differently, so rules with such an occurrence are left out.
"""

import random
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil import rrule, tz

ZONES = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Sydney", "America/Phoenix", "UTC"]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
RULES, LIMIT = int(sys.argv[1]) if len(sys.argv) > 1 else 300, 12


def draw(numbers):
    start = date(2015, 1, 1) + timedelta(days=numbers.randrange(3000))
    hours = sorted(numbers.sample(range(24), numbers.choice([1, 1, 1, 2])))
    minute = numbers.choice([0, 0, 30, 59])
    frequency = numbers.choice(["DAILY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
    rule = [f"FREQ={frequency}", f"INTERVAL={numbers.choice([1, 1, 1, 2, 3, 5])}"]
    if frequency == "WEEKLY":
        days = sorted(numbers.sample(range(7), numbers.randint(1, 5)))
        rule += ["BYDAY=" + ",".join(DAYS[day] for day in days), f"WKST={numbers.choice(DAYS)}"]
    if frequency == "MONTHLY" and numbers.random() < 0.6:
        days = numbers.choice(["MO,TU,WE,TH,FR"] * 3 + DAYS)
        rule += [f"BYDAY={days}", f"BYSETPOS={numbers.choice([-1, -1, -1, 1, 2, 5])}"]
    if numbers.random() < 0.4:
        unit = {"DAILY": 1, "WEEKLY": 7, "MONTHLY": 30, "YEARLY": 365}[frequency]
        rule.append(f"UNTIL={start + timedelta(days=unit * numbers.randint(0, 15)):%Y%m%d}T235959")
    elif numbers.random() < 0.3:
        rule.append(f"COUNT={numbers.randint(1, 20)}")
    return start, hours, minute, rule


def occurrences(start, hours, minute, rule, exceptions):
    # BYSETPOS counts within a period, so each hour has a rule of its own. COUNT is applied to all of them.
    count = next((int(part[6:]) for part in rule if part.startswith("COUNT=")), None)
    text = ";".join(part for part in rule if not part.startswith("COUNT="))
    all_times = rrule.rruleset()
    for hour in hours:
        all_times.rrule(rrule.rrulestr(text, dtstart=datetime.combine(start, time(hour, minute))))
    counted = []
    for number, found in enumerate(all_times):
        if count is not None and number >= count:
            break
        if found.date() not in exceptions:
            counted.append(found)
        if len(counted) == LIMIT:
            break
    return counted


def main():
    numbers = random.Random(5545)
    written = 0
    while written < RULES:
        zone, (start, hours, minute, rule) = numbers.choice(ZONES), draw(numbers)
        plain = occurrences(start, hours, minute, rule, set())
        exceptions = set()
        if numbers.random() < 0.6 and plain:
            exceptions = {found.date() for found in numbers.sample(plain, min(len(plain), numbers.randint(1, 4)))}
            exceptions.add(start + timedelta(days=numbers.randrange(60)))
        local = [found.replace(tzinfo=ZoneInfo(zone)) for found in occurrences(start, hours, minute, rule, exceptions)]
        if any(not tz.datetime_exists(found) for found in local):
            continue
        minutes = [int(found.astimezone(timezone.utc).timestamp()) // 60 for found in local]
        times = ",".join(f"{hour:02}{minute:02}" for hour in hours)
        print(
            zone,
            f"{start:%Y%m%d}",
            times,
            ";".join(rule),
            ",".join(f"{day:%Y%m%d}" for day in sorted(exceptions)),
            " ".join(map(str, minutes)),
            sep="\t",
        )
        written += 1


if __name__ == "__main__":
    main()
