"use strict";

/**
 * Chooses the places that the system monitors if reminders use more than it can monitor.
 *
 * The nearest places are monitored, and a circle around the phone within which the choice is valid. When the app
 * leaves
 * the circle, it observes its position and chooses again.
 */

// The cost of a choice in metres, the maximum reserve for later, and the distance of a car until an exit is reported.
const [PRICE, MOST_SPARE, LATENESS] = [1000, 10000, 3000];
// Systems report an exit at this many radii; the smallest and largest radii that they support; the distance of an
// unreported exit.
const [EXIT_FACTOR, SHORTEST, LONGEST, UNTOLD_WAY] = [1.5, 200, 50000, 20000];

const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The places by name: [latitude, longitude] in degrees, and a radius in metres. */
class Places {
  constructor(circles) {
    this.names = Object.keys(circles).sort(byName);
    this.circles = new Map();
    for (const [name, { at, radius }] of Object.entries(circles)) {
      this.circles.set(name, { origin: point(at), radius });
    }
  }

  /** Returns the distance to a place's boundary in metres; negative inside. */
  way(name, here) {
    const { origin, radius } = this.circles.get(name);
    return distance(here, origin) - radius;
  }

  /** Chooses the needed places near a position, after an earlier choice or null. */
  nearest(count, needed, position, before, inside) {
    const here = point(degrees(position));
    const ways = new Map(needed.map((name) => [name, this.way(name, here)]));
    // A place that the phone is in stays monitored until the app observes that the phone has left it.
    const stays = (name) => inside.has(name) && ways.get(name) < UNTOLD_WAY;
    const order = [...needed].sort(
      (a, b) => stays(b) - stays(a) || ways.get(a) - ways.get(b) || byName(a, b),
    );
    const reach = Math.min(...order.slice(count).map((name) => ways.get(name)));
    let spare = 0;
    if (before) {
      const way = distance(point(degrees(before.center)), here);
      spare = Math.floor(Math.min(Math.max(before.spare + way - PRICE, 0), MOST_SPARE));
    }
    const leave = Math.min(reach / 2, reach - LATENESS) / EXIT_FACTOR;
    const radius = Math.floor(Math.min(Math.max(leave, SHORTEST, PRICE - spare), LONGEST));
    return { watched: order.slice(0, count).sort(byName), center: position, radius, spare };
  }
}

/** Converts ten-millionths to degrees. */
const degrees = (position) => position.map((number) => number / 1e7);

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Returns a point of the WGS84 ellipsoid in metres from the earth's centre; distances are chords. */
function point(at) {
  const [latitude, longitude] = at.map((number) => (number * Math.PI) / 180);
  const [a, f] = [6378137, 1 / 298.257223563];
  const e2 = f * (2 - f);
  const n = a / Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
  return [
    n * Math.cos(latitude) * Math.cos(longitude),
    n * Math.cos(latitude) * Math.sin(longitude),
    n * (1 - e2) * Math.sin(latitude),
  ];
}

module.exports = { Places, degrees, distance, point };
