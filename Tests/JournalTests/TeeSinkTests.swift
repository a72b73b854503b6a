import CivilTime
import DeviceSimulation
import Journal
import Testing
import TriggerModel

/// Two sinks that are told the same.
@Suite struct TeeSinkTests {
  /// Writes down what it is told. What it asks for is chosen by its type.
  private struct Notes<Wish: SinkWish>: JournalSink {
    var told: [String] = []
    var keepsEveryMiss = false
    var isFull = false
    static var interest: RecordInterest { Wish.interest }
    static var wantsEveryFix: Bool { Wish.wantsEveryFix }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      told.append("\(JournalRecord(body, stamp))")
    }

    mutating func passed(fixes: Int) { told.append("\(fixes) fixes") }

    mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
      told.append("\(counted), \(due), \(stamp)")
    }
  }

  private protocol SinkWish {
    static var interest: RecordInterest { get }
    static var wantsEveryFix: Bool { get }
  }

  private enum All: SinkWish {
    static var interest: RecordInterest { .everything }
    static var wantsEveryFix: Bool { true }
  }

  private enum None: SinkWish {
    static var interest: RecordInterest { .nothing }
    static var wantsEveryFix: Bool { false }
  }

  @Test func bothAreToldEverythingInItsOrder() {
    var alone = Notes<All>()
    var both = TeeSink(Notes<All>(), Notes<None>())
    var generator = RandomRecords(SampleNames.names, seed: 12)
    for (index, record) in generator.round().enumerated() {
      let counted = CountedReminders(word: UInt32(index), bits: 5, .denied(.dailyCap, []))
      alone.record(record)
      both.record(record)
      alone.passed(fixes: index)
      both.passed(fixes: index)
      alone.count(counted, due: 4, record.stamp)
      both.count(counted, due: 4, record.stamp)
    }
    #expect(alone.told.count > 300)
    #expect(both.first.told == alone.told)
    #expect(both.second.told == alone.told)
  }

  @Test func bothWantWhatOneOfThemWants() {
    #expect(!TeeSink<Notes<None>, Notes<None>>.wantsEveryFix)
    #expect(TeeSink<Notes<None>, Notes<All>>.wantsEveryFix)
    #expect(TeeSink<Notes<All>, Notes<None>>.wantsEveryFix)
    for interest in [
      TeeSink<Notes<None>, Notes<All>>.interest, TeeSink<Notes<All>, Notes<None>>.interest,
    ] {
      #expect(interest.remarks && interest.truth == .all && interest.contains(.unlock))
    }
    let nothing = TeeSink<Notes<None>, Notes<None>>.interest
    #expect(!nothing.remarks && nothing.truth == EventKinds() && !nothing.contains(.openOwnApp))
    var sink = TeeSink(Notes<None>(), Notes<None>())
    #expect(!sink.keepsEveryMiss && !sink.isFull)
    sink.first.keepsEveryMiss = true
    sink.second.isFull = true
    #expect(sink.keepsEveryMiss && sink.isFull)
    sink = TeeSink(sink.second, sink.first)
    #expect(sink.keepsEveryMiss && sink.isFull)
  }
}
