// The hold and snooze models of the kernel benchmark with std::priority_queue, for comparison.
//
// Usage: hold MODEL PENDING WARMUP OPERATIONS QUANTUM < table
// The table has 4,096 increments in milliseconds. The output is nanoseconds per operation, clock and hash.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <vector>

static int64_t table[4096];
static int64_t quantum;

static inline uint64_t splitmix64(uint64_t index) {
  uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static inline int64_t increment(uint64_t index) {
  uint64_t bits = splitmix64(index);
  int64_t exact = table[bits & 4095] + int64_t((bits >> 12) & 0xFFFFFF);
  return quantum == 1 ? exact : (exact + quantum - 1) / quantum * quantum;
}

static inline uint64_t victim(uint64_t index, uint64_t count) {
  return splitmix64(index ^ 0xD1B54A32D192ED03u) % count;
}

// A hash of the times and entities of all events, in order.
struct Result {
  int64_t clock = 0;
  uint64_t hash = 0;
  void note(int64_t time, uint64_t entity) {
    clock = time;
    hash = (hash ^ (uint64_t(time) * 0x9E3779B97F4A7C15u + entity)) * 0x00000100000001B3u;
  }
};

// Every event has a unique number, which orders simultaneous events as they were added. It shares a word with the
// entity, 40 bits above 24, so that an event takes only 16 bytes.
struct Event {
  int64_t time;
  uint64_t order;

  uint64_t entity() const { return order & 0xFFFFFF; }
  bool operator<(const Event &other) const {
    return time != other.time ? time > other.time : order > other.order;
  }
};

struct HoldModel {
  std::priority_queue<Event> queue;
  uint64_t number = 0;
  Result result;

  explicit HoldModel(uint64_t count) {
    for (uint64_t entity = 0; entity < count; entity++) add(entity, increment(entity));
  }

  void add(uint64_t entity, int64_t time) { queue.push({time, ++number << 24 | entity}); }

  void step(uint64_t index) {
    Event event = queue.top();
    queue.pop();
    result.note(event.time, event.entity());
    add(event.entity(), event.time + increment(index));
  }
};

// Snooze: an event that is not the current one of its entity is stale.
struct SnoozeModel {
  std::priority_queue<Event> queue;
  std::vector<uint64_t> current;
  uint64_t number = 0;
  Result result;

  explicit SnoozeModel(uint64_t count) : current(count) {
    for (uint64_t entity = 0; entity < count; entity++) add(entity, increment(entity));
  }

  void add(uint64_t entity, int64_t time) {
    uint64_t order = ++number << 24 | entity;
    current[entity] = order;
    queue.push({time, order});
  }

  void step(uint64_t index) {
    Event event = queue.top();
    queue.pop();
    while (current[event.entity()] != event.order) {
      event = queue.top();
      queue.pop();
    }
    result.note(event.time, event.entity());
    add(event.entity(), event.time + increment(2 * index));
    add(victim(index, current.size()), event.time + increment(2 * index + 1));
  }
};

template <class Model>
static void run(uint64_t pending, uint64_t warmup, uint64_t operations) {
  Model model(pending);
  uint64_t index = pending;
  for (uint64_t n = 0; n < warmup; n++) model.step(index++);
  auto start = std::chrono::steady_clock::now();
  for (uint64_t n = 0; n < operations; n++) model.step(index++);
  std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.4f %lld %llu\n", elapsed.count() / double(operations), (long long)model.result.clock,
              (unsigned long long)model.result.hash);
}

int main(int count, char **arguments) {
  if (count != 6) return 64;
  for (int64_t &entry : table) {
    long long value;
    if (std::scanf("%lld", &value) != 1) return 1;
    entry = value;
  }
  uint64_t pending = std::strtoull(arguments[2], nullptr, 10);
  if (pending > 0x1000000) return 64; // entities have 24 bits
  uint64_t warmup = std::strtoull(arguments[3], nullptr, 10);
  uint64_t operations = std::strtoull(arguments[4], nullptr, 10);
  quantum = std::strtoll(arguments[5], nullptr, 10);
  if (std::strcmp(arguments[1], "hold") == 0) {
    run<HoldModel>(pending, warmup, operations);
  } else if (std::strcmp(arguments[1], "snooze") == 0) {
    run<SnoozeModel>(pending, warmup, operations);
  } else {
    return 64;
  }
}
