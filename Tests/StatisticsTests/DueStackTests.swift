import Foundation
import RandomScenarios
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// Compares the packed stack of unanswered due requests with a list.
@Suite struct DueStackTests {
  /// Returns a due request. Most of its properties are usually the same, but each sometimes differs.
  private static func due(_ random: inout SplitMix64, number: Int) -> DueRequest {
    func reason() -> Reason? { random.chance(95) ? nil : random.one(of: Reason.allCases) }
    let extremes = [Instant.distantPast, .distantFuture]
    let start: Int64 = 1_772_431_200_000
    let instant = Instant(
      millisecondsSince1970: start + 60_000 * Int64(number)
        + Int64(random.chance(70) ? 0 : random.int(0...59_999)))
    let wall = random.chance(98) ? instant : random.one(of: extremes)
    let span =
      random.chance(98) ? instant.millisecondsSince1970 - start : Int64(random.int(0...9))
    return DueRequest(
      instant: random.chance(99) ? instant : random.one(of: extremes),
      moment: Moment(
        wall: wall,
        uptime: Uptime(boot: random.chance(98) ? 0 : .max, span: TimeSpan(milliseconds: span)),
        zone: ZoneID(UInt32(random.chance(98) ? 0 : Int(UInt32.max)))),
      time: random.chance(95) ? wall : random.one(of: extremes),
      cause: random.chance(95) ? .unlock : random.one(of: ObservedEvent.Kind.allCases),
      fact: random.chance(95) ? nil : random.one(of: [0, 7, .max]),
      signal: random.chance(5)
        ? nil
        : SignalLedger.Entry(
          event: random.chance(95) ? .unlock : random.one(of: ObservedEvent.Kind.allCases),
          subject: random.chance(98) ? 0 : .max, number: number),
      isBlind: random.chance(3), declined: reason(), repeatLoss: reason())
  }

  @Test(arguments: 0..<12) func `the stack holds the same elements as a list`(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var (stack, list) = (DueStack(), [DueRequest]())
    // Some stacks grow to many batches. Others stay near one batch.
    let growth = random.int(50...90)
    var deep = 0
    for number in 0..<3_000 {
      if random.chance(growth) {
        let due = Self.due(&random, number: number)
        stack.append(due)
        list.append(due)
      } else if random.chance(80) {
        // Remove the last element, an earlier one, or none.
        let wanted =
          random.chance(90) ? list.last : random.chance(50) ? nil : list.randomElement(using: &random)
        let isIt = { (due: DueRequest) in due == wanted }
        let position = list.lastIndex(where: isIt)
        let found = stack.removeLast(where: isIt)
        #expect(found?.position == position)
        #expect(found?.due == position.map { list.remove(at: $0) })
        if let position, list.count - position > 2 * DueStack.batch { deep += 1 }
        if let found, random.chance(50) {
          stack.insert(found.due, at: found.position)
          list.insert(found.due, at: found.position)
        }
      } else {
        stack.changeLast { $0.declined = .expired }
        if let last = list.indices.last { list[last].declined = .expired }
      }
      #expect(stack.isEmpty == list.isEmpty)
      if number % 500 == 0 { #expect(Array(stack.all) == list, "seed \(seed), \(number)") }
    }
    #expect(Array(stack.all) == list, "seed \(seed)")
    if growth > 80 { #expect(list.count > 4 * DueStack.batch && deep > 0, "seed \(seed): \(deep)") }
  }
}

/// Tests the memory that due requests use if the app observes nothing.
@Suite struct DueMemoryTests {
  private static let processTable = "/proc/self/statm"

  /// The test runs in a separate process, so that nothing else allocates memory.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: processTable), "there is no /proc here"))
  func `hundreds of thousands of elements take a few bytes each`() async {
    await #expect(processExitsWith: .success) {
      func made(_ count: Int) -> DueStack {
        var random = SplitMix64(seed: 1)
        var stack = DueStack()
        var instant = Instant(millisecondsSince1970: 1_772_431_200_000)
        for number in 0..<count {
          instant = instant + TimeSpan(milliseconds: Int64(random.int(1...999_999)))
          let uptime = Uptime(boot: 0, span: instant - Instant(millisecondsSince1970: 0))
          stack.append(
            DueRequest(
              instant: instant, moment: Moment(wall: instant, uptime: uptime, zone: ZoneID(0)), time: instant,
              cause: .unlock, signal: SignalLedger.Entry(event: .unlock, subject: 0, number: 2 * number),
              isBlind: false))
        }
        return stack
      }
      _ = made(1_000)
      let before = try residentBytes()
      let stack = made(200_000)
      // Without packing, the requests would use 19 MB. The address sanitizer needs additional memory for each
      // of them.
      let most = dlsym(nil, "__asan_init") == nil ? 4 << 20 : 16 << 20
      #expect(try residentBytes() - before < most)
      #expect(stack.all.reduce(0) { count, _ in count + 1 } == 200_000)
    }
  }
}
