// POPCAP-1 in one loop without an event queue, for comparison: the minimum cost of the caps and taps of a population.
//
// Usage: population FIRST END SEED DAYS INTERVAL DAILY
// Plays the people from FIRST to END - 1 with a minimum interval in seconds and a daily cap. The output is nanoseconds
// per event, the number of events, the checksum over all notifications, and the sum of all counters.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GAMMA 0x9E3779B97F4A7C15u
#define TYPES 6
#define DAY 86400

static inline uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

enum { PERMISSION, QUIET, LIFETIME, TYPE_DAILY, DAILY, INTERVAL, CRITICAL_DAILY, REASONS };

struct counts {
  uint64_t events, candidates, denied[REASONS], fired[TYPES + 1], taps[TYPES + 1], opt_outs, latency_sum;
  uint64_t latencies[16], hours_fired[24], hours_tapped[24], people, reached, fired2, taps2, both, checksum;
};

static const uint32_t base[TYPES + 1] = {9830, 11796, 14745, 17694, 16384, 8192, 32768};
static const uint32_t eagerness[4] = {128, 192, 256, 384};
static const int lifetime_cap[TYPES] = {3, 3, 0, 0, 0, 12};

static void person(uint64_t number, uint64_t seed, int64_t end, int64_t interval, int cap, struct counts *c) {
  uint64_t key = mix64(seed ^ number * GAMMA), luck_key = mix64(key ^ 0xD1B54A32D192ED03u);
  int64_t ahead = ((int64_t)(key % 27) - 12) * 3600 + DAY;
  int allowed = (key >> 8) % 100 < 65;
  uint32_t eager = eagerness[(key >> 16) % 4];
  int64_t now = 0, day = -1, last = -((int64_t)1 << 60);
  int today[TYPES] = {0}, ever[TYPES] = {0}, standard = 0, critical = 0;
  uint64_t fired = 0, taps = 0;
  for (uint64_t n = 1;; n++) {
    uint64_t r = mix64(key + n * GAMMA);
    now += 1 + (int64_t)(((r & 0xFFFFFFFFu) * 1151) >> 32);
    if (now >= end) break;
    c->events++;
    uint32_t x = (r >> 32) & 0xFFFF, type = x >> 12;
    if (type > TYPES || (type == TYPES && (x & 63))) continue;
    c->candidates++;
    if (!allowed) { c->denied[PERMISSION]++; continue; }
    int64_t local = now + ahead;
    int hour = (int)(local % DAY / 3600);
    if (hour >= 22 || hour < 7) { c->denied[QUIET]++; continue; }
    if (local / DAY != day) {
      day = local / DAY;
      memset(today, 0, sizeof today);
      standard = critical = 0;
    }
    if (type < TYPES) {
      if (lifetime_cap[type] && ever[type] >= lifetime_cap[type]) { c->denied[LIFETIME]++; continue; }
      if (today[type] >= 1) { c->denied[TYPE_DAILY]++; continue; }
      if (standard >= cap) { c->denied[DAILY]++; continue; }
      if (now - last < interval) { c->denied[INTERVAL]++; continue; }
    } else if (critical >= 1) { c->denied[CRITICAL_DAILY]++; continue; }

    uint64_t luck = mix64(luck_key + n * GAMMA);
    uint32_t threshold = (base[type] * eager) >> 8;
    if (hour >= 17 && hour <= 20) threshold = (threshold * 5) >> 2;
    threshold = (threshold * (16 - 2 * (standard < 3 ? standard : 3))) >> 4;
    int tapped = (luck & 0xFFFF) < threshold;
    if (type < TYPES) {
      ever[type]++, today[type]++, standard++;
      last = now;
    } else critical++;
    fired++;
    c->fired[type]++;
    c->hours_fired[hour]++;
    if (tapped) {
      uint64_t latency = 5 + ((((luck >> 32) & 0xFFFF) * (luck >> 48)) >> 20);
      c->latency_sum += latency;
      c->latencies[63 - __builtin_clzll(latency)]++;
      taps++;
      c->taps[type]++;
      c->hours_tapped[hour]++;
    } else if (((luck >> 16) & 0xFFFF) < 131) {
      allowed = 0;
      c->opt_outs++;
    }
    c->checksum += mix64(number << 32 ^ (uint64_t)now << 4 ^ (uint64_t)type << 1 ^ (uint64_t)tapped);
  }
  c->people++;
  c->reached += fired > 0;
  c->fired2 += fired * fired;
  c->taps2 += taps * taps;
  c->both += fired * taps;
}

int main(int count, char **words) {
  if (count != 7) return 64;
  uint64_t first = strtoull(words[1], 0, 10), end = strtoull(words[2], 0, 10);
  uint64_t seed = strtoull(words[3], 0, 10);
  int64_t seconds = strtoll(words[4], 0, 10) * DAY, interval = strtoll(words[5], 0, 10);
  int cap = atoi(words[6]);
  struct counts counts;
  memset(&counts, 0, sizeof counts);
  struct timespec start, stop;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (uint64_t number = first; number < end; number++) person(number, seed, seconds, interval, cap, &counts);
  clock_gettime(CLOCK_MONOTONIC, &stop);
  double nanoseconds = (double)(stop.tv_sec - start.tv_sec) * 1e9 + (double)(stop.tv_nsec - start.tv_nsec);
  // The sum prevents the compiler from removing counters.
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof counts / sizeof(uint64_t); i++) sum += ((uint64_t *)&counts)[i];
  printf("%f %llu %llu %llu\n", nanoseconds / (double)(counts.events ? counts.events : 1),
         (unsigned long long)counts.events, (unsigned long long)counts.checksum, (unsigned long long)sum);
  return 0;
}
