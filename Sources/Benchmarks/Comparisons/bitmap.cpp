// The limit of matching, for comparison: a row of bits for each condition and each quarter of an hour, and one "and"
// for 64 reminders. It supports no zones, no folds and only windows of whole quarters, and counts no misses. The only
// state of a reminder is whether it waits. From limit.cpp of the shared workload, without its other engines, and with
// its input from standard input.
//
// Usage: bitmap once|daily REMINDERS EVENTS < lines
// The input has a line per reminder: id, trigger, its parameter, window from and to, place, whether charging, weekdays;
// then a line per event: index, seconds, type, parameter, places inside, whether charging. The output is nanoseconds
// per event, the number of fires, and their digest.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Reminder {
  int32_t id;
  int16_t type, parameter, from, to, place, charging;
  uint8_t weekdays;
};

struct Event {
  uint32_t index, seconds;
  int16_t type, parameter;
  uint32_t inside;
  uint8_t charging, weekday;
  uint16_t minute;
  uint32_t day;
};

enum { live = 0, all = 1, notCharging = 2, weekdays = 3, slots = 10, noPlace = 106, places = 107, rowCount = 127 };

struct Bucket {
  std::vector<uint32_t> ids;
  size_t words = 0;
  std::vector<uint64_t> rows;
  size_t waiting = 0;
  uint32_t day = 0;
};

static int bucketOf(int type, int parameter) {
  return type == 0 ? 0 : type == 1 ? 1 + parameter : type == 2 ? 21 : type == 3 ? 22 + parameter : -1;
}

static std::vector<Bucket> buckets(const std::vector<Reminder> &reminders) {
  std::vector<Bucket> buckets(72);
  for (auto &r : reminders) buckets[bucketOf(r.type, r.parameter)].ids.push_back(r.id);
  for (auto &bucket : buckets) {
    bucket.words = (bucket.ids.size() + 63) / 64;
    bucket.rows.assign(bucket.words * rowCount, 0);
    bucket.waiting = bucket.ids.size();
    for (size_t k = 0; k < bucket.ids.size(); k++) {
      const Reminder &r = reminders[bucket.ids[k]];
      auto set = [&](int row) { bucket.rows[row * bucket.words + (k >> 6)] |= 1ull << (k & 63); };
      set(live);
      set(all);
      if (!r.charging) set(notCharging);
      for (int day = 0; day < 7; day++)
        if (r.weekdays >> day & 1) set(weekdays + day);
      for (int slot = 0; slot < 96; slot++) {
        int m = slot * 15;
        bool isOpen = r.from < 0 || (r.from < r.to ? m >= r.from && m < r.to : m >= r.from || m < r.to);
        if (isOpen) set(slots + slot);
      }
      set(r.place < 0 ? noPlace : places + r.place);
    }
  }
  return buckets;
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  bool daily = !strcmp(arguments[1], "daily");
  size_t reminderCount = atol(arguments[2]), eventCount = atol(arguments[3]);
  std::vector<Reminder> reminders;
  std::vector<Event> events;
  int a, b, c, d, e, f, g, h;
  while (reminders.size() < reminderCount && scanf("%d%d%d%d%d%d%d%d", &a, &b, &c, &d, &e, &f, &g, &h) == 8)
    reminders.push_back({a, (int16_t)b, (int16_t)c, (int16_t)d, (int16_t)e, (int16_t)f, (int16_t)g, (uint8_t)h});
  while (events.size() < eventCount && scanf("%d%d%d%d%d%d", &a, &b, &c, &d, &e, &f) == 6)
    events.push_back({(uint32_t)a, (uint32_t)b, (int16_t)c, (int16_t)d, (uint32_t)e, (uint8_t)f,
                      (uint8_t)(b / 86400 % 7), (uint16_t)(b / 60 % 1440), (uint32_t)b / 86400});
  if (reminders.size() < reminderCount || events.size() < eventCount) return 65;
  auto table = buckets(reminders);

  uint64_t hash = 0xcbf29ce484222325ull, fires = 0;
  auto fire = [&](uint32_t event, uint32_t id) {
    fires++;
    hash = (hash ^ event) * 0x100000001b3;
    hash = (hash ^ id) * 0x100000001b3;
  };
  const std::vector<uint64_t> zero(reminderCount / 64 + 1, 0);
  auto start = std::chrono::steady_clock::now();
  for (auto &event : events) {
    if (event.type > 3) continue;
    auto &bucket = table[bucketOf(event.type, event.parameter)];
    size_t w = bucket.words;
    uint64_t *rows = bucket.rows.data();
    if (daily && bucket.day != event.day) {
      bucket.day = event.day;
      memcpy(rows, rows + w, w * 8);
      bucket.waiting = bucket.ids.size();
    }
    if (!bucket.waiting) continue;
    uint64_t *waits = rows;
    const uint64_t *charged = rows + (event.charging ? all : notCharging) * w;
    const uint64_t *onDay = rows + (weekdays + event.weekday) * w;
    const uint64_t *open = rows + (slots + event.minute / 15) * w;
    const uint64_t *anywhere = rows + noPlace * w, *here = zero.data(), *there = zero.data();
    uint32_t inside = event.inside;
    if (inside) {
      here = rows + (places + __builtin_ctz(inside)) * w;
      inside &= inside - 1;
    }
    if (inside) there = rows + (places + __builtin_ctz(inside)) * w;
    for (size_t k = 0; k < w; k += 4) {
      uint64_t hits[4], any = 0;
      size_t n = std::min<size_t>(4, w - k);
      auto look = [&](size_t j) {
        hits[j] = waits[k + j] & charged[k + j] & onDay[k + j] & open[k + j]
            & (anywhere[k + j] | here[k + j] | there[k + j]);
        any |= hits[j];
      };
      if (n == 4) {
        for (int j = 0; j < 4; j++) look(j);
      } else {
        for (size_t j = 0; j < n; j++) look(j);
      }
      if (!any) continue;
      for (size_t j = 0; j < n; j++) {
        uint64_t left = hits[j];
        waits[k + j] &= ~left;
        for (; left; left &= left - 1) {
          bucket.waiting--;
          fire(event.index, bucket.ids[(k + j) * 64 + __builtin_ctzll(left)]);
        }
      }
    }
  }
  std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  printf("%.2f %llu %llu\n", elapsed.count() / events.size(), (unsigned long long)fires, (unsigned long long)hash);
}
