"""Which places the system watches, where it watches fewer than reminders name.

The nearest are watched, and around them a circle within which they will do. An app that leaves it learns where
it is and chooses again.
"""

import math

# What a choice takes of the way, what is kept of it for later, and what a car goes until an exit is told.
PRICE, MOST_SPARE, LATENESS = 1000, 10000, 3000
# At so many radii systems take a circle for left; radii that they see at all; how far an untold exit lies.
EXIT_FACTOR, SHORTEST, LONGEST, UNTOLD_WAY = 1.5, 200, 50000, 20000


class Places:
    """Where places are: [latitude, longitude] in degrees, and a radius in metres, by name."""

    def __init__(self, circles):
        self.names = sorted(circles)
        self.circles = {name: (point(at), radius) for name, (at, radius) in circles.items()}

    def way(self, name, here):
        """What is left of the way to a place's boundary, in metres; negative inside."""
        origin, radius = self.circles[name]
        return math.dist(here, origin) - radius

    def nearest(self, count, needed, position, before, inside):
        """The choice of those needed at a position, after another or None."""
        here = point(degrees(position))
        ways = {name: self.way(name, here) for name in needed}
        # What the phone is in, as the app knows, stays watched until it is told that it has left.
        order = sorted(
            needed, key=lambda name: (not (name in inside and ways[name] < UNTOLD_WAY), ways[name], name)
        )
        reach = min((ways[name] for name in order[count:]), default=math.inf)
        spare = 0
        if before:
            way = math.dist(point(degrees(before["center"])), here)
            spare = int(min(max(before["spare"] + way - PRICE, 0), MOST_SPARE))
        leave = min(reach / 2, reach - LATENESS) / EXIT_FACTOR
        radius = int(min(max(leave, SHORTEST, PRICE - spare), LONGEST))
        return {"watched": sorted(order[:count]), "center": position, "radius": radius, "spare": spare}


def degrees(position):
    """From ten-millionths."""
    return [number / 1e7 for number in position]


def point(at):
    """A point of the WGS84 ellipsoid in metres from the earth's centre: distances are chords."""
    latitude, longitude = map(math.radians, at)
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    n = a / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    return (
        n * math.cos(latitude) * math.cos(longitude),
        n * math.cos(latitude) * math.sin(longitude),
        n * (1 - e2) * math.sin(latitude),
    )
