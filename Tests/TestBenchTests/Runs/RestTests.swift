import Journal
import ScenarioModel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation

/// Tests that packing and unpacking a world keeps its state, and that the world continues as if it had not
/// been packed.
@Suite struct RestTests {
  @Test(arguments: ["ideal", "ios", "android"], [true, false])
  func
    `a run that is repeatedly put to rest equals the uninterrupted run, with listed and with counted misses`(
      profile: String, keepsEveryMiss: Bool
    ) throws
  {
    let formats = FormatCache()
    var heard = 0
    for seed in 1...UInt64(Trial.isWhole ? 1_000 : 16) {
      // Many reminders wait for the same trigger, so most misses are counted in groups.
      let crowded = CrowdedStory(seed: seed, profile: profile)
      let program =
        seed % 2 == 0
        ? try Program(AnyScenario.read(crowded.text, "seed \(seed)", formats))
        : try AnyScenario.program(seed: seed, profile: profile, formats)
      guard let program else { continue }
      var whole = Everything(keepsEveryMiss: keepsEveryMiss)
      var world = World(program: program, engine: program.makeEngine())
      world.run(into: &whole)
      var pieces = Everything(keepsEveryMiss: keepsEveryMiss)
      world = SuspendedWorld(World(program: program, engine: program.makeEngine())).wake()
      var instant = program.scenario.start
      while instant < program.end {
        // The step does not divide a day evenly, so the world is packed at all times of day.
        instant = instant + .minutes(437)
        world.run(until: instant, into: &pieces)
        world = SuspendedWorld(world).wake()
      }
      #expect(pieces.records == whole.records, "\(profile), seed \(seed)")
      #expect(pieces.counts == whole.counts, "\(profile), seed \(seed)")
      heard += keepsEveryMiss ? whole.records.count : whole.counts.count
    }
    #expect(heard > 100)
  }

  @Test func `an engine of unknown type is kept unchanged`() throws {
    let formats = FormatCache()
    for seed in UInt64(1)...6 {
      guard let program = try AnyScenario.program(seed: seed, profile: "ios", formats) else { continue }
      var (whole, pieces) = (Everything(keepsEveryMiss: true), Everything(keepsEveryMiss: true))
      var world = World(
        program: program, engine: RestartingEngine(program.makeEngine(), RestartingEngine.Log()))
      world.run(into: &whole)
      world = World(program: program, engine: RestartingEngine(program.makeEngine(), RestartingEngine.Log()))
      for part in Int64(1)...5 {
        let span = (program.end - program.scenario.start).milliseconds / 5 * part
        world.run(until: program.scenario.start + TimeSpan(milliseconds: span), into: &pieces)
        world = SuspendedWorld(world).wake()
      }
      world.run(into: &pieces)
      #expect(pieces.records == whole.records, "seed \(seed)")
    }
  }

  @Test func `copies of a box share its value until one of them changes it`() {
    var box = Boxed([1, 2])
    let copy = box
    box.value.append(3)
    #expect(box.value == [1, 2, 3])
    #expect(copy.value == [1, 2])
    #expect(MemoryLayout<Boxed<(Int, Int, Int)>?>.size == MemoryLayout<Int>.size)
  }

  /// A sink that records every call that it receives.
  private struct Everything: JournalSink {
    let keepsEveryMiss: Bool
    private(set) var records: [JournalRecord] = []
    private(set) var counts: [String] = []

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      records.append(JournalRecord(body, stamp))
    }

    mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
      counts.append("\(stamp) \(counted) \(due)")
    }

    init(keepsEveryMiss: Bool) { self.keepsEveryMiss = keepsEveryMiss }
  }
}
