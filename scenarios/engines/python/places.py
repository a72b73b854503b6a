"""Chooses the places that the system monitors if reminders use more than it can monitor.

The nearest places are monitored, and a circle around the phone within which the choice is valid. When the app
leaves
the circle, it observes its position and chooses again.
"""

import math

# The cost of a choice in metres, the maximum reserve for later, and the distance of a car until an exit is reported.
PRICE, MOST_SPARE, LATENESS = 1000, 10000, 3000
# Systems report an exit at this many radii; the smallest and largest radii that they support; the distance of an
# unreported exit.
EXIT_FACTOR, SHORTEST, LONGEST, UNTOLD_WAY = 1.5, 200, 50000, 20000


class Places:
    """The places by name: [latitude, longitude] in degrees, and a radius in metres."""

    def __init__(self, circles):
        self.names = sorted(circles)
        self.circles = {name: (point(at), radius) for name, (at, radius) in circles.items()}

    def way(self, name, here):
        """Returns the distance to a place's boundary in metres; negative inside."""
        origin, radius = self.circles[name]
        return math.dist(here, origin) - radius

    def nearest(self, count, needed, position, before, inside):
        """Chooses the needed places near a position, after an earlier choice or None."""
        here = point(degrees(position))
        ways = {name: self.way(name, here) for name in needed}
        # A place that the phone is in stays monitored until the app observes that the phone has left it.
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
    """Converts ten-millionths to degrees."""
    return [number / 1e7 for number in position]


def point(at):
    """Returns a point of the WGS84 ellipsoid in metres from the earth's centre; distances are chords."""
    latitude, longitude = map(math.radians, at)
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    n = a / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    return (
        n * math.cos(latitude) * math.cos(longitude),
        n * math.cos(latitude) * math.sin(longitude),
        n * (1 - e2) * math.sin(latitude),
    )
