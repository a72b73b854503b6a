import CivilTime
import DeviceSimulation
import Journal
import Testing
import TriggerModel

/// Both sinks of a tee receive the same records.
@Suite struct TeeSinkTests {
  /// A sink that describes the records that it receives. The type parameter determines its interest.
  private struct Log<Interest: SinkInterest>: JournalSink {
    var entries: [String] = []
    var keepsEveryMiss = false
    var isFull = false
    static var interest: RecordInterest { Interest.interest }
    static var wantsEveryFix: Bool { Interest.wantsEveryFix }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      entries.append("\(JournalRecord(body, stamp))")
    }

    mutating func passed(fixes: Int) { entries.append("\(fixes) fixes") }

    mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
      entries.append("\(counted), \(due), \(stamp)")
    }
  }

  private protocol SinkInterest {
    static var interest: RecordInterest { get }
    static var wantsEveryFix: Bool { get }
  }

  private enum All: SinkInterest {
    static var interest: RecordInterest { .everything }
    static var wantsEveryFix: Bool { true }
  }

  private enum None: SinkInterest {
    static var interest: RecordInterest { .nothing }
    static var wantsEveryFix: Bool { false }
  }

  @Test func `both sinks receive all records in order`() {
    var single = Log<All>()
    var both = TeeSink(Log<All>(), Log<None>())
    var generator = RandomRecords(SampleNames.names, seed: 12)
    for (index, record) in generator.round().enumerated() {
      let counted = CountedReminders(word: UInt32(index), bits: 5, .denied(.dailyCap, []))
      single.record(record)
      both.record(record)
      single.passed(fixes: index)
      both.passed(fixes: index)
      single.count(counted, due: 4, record.stamp)
      both.count(counted, due: 4, record.stamp)
    }
    #expect(single.entries.count > 300)
    #expect(both.first.entries == single.entries)
    #expect(both.second.entries == single.entries)
  }

  @Test func `a tee needs every record that either of its sinks needs`() {
    #expect(!TeeSink<Log<None>, Log<None>>.wantsEveryFix)
    #expect(TeeSink<Log<None>, Log<All>>.wantsEveryFix)
    #expect(TeeSink<Log<All>, Log<None>>.wantsEveryFix)
    for interest in [
      TeeSink<Log<None>, Log<All>>.interest, TeeSink<Log<All>, Log<None>>.interest,
    ] {
      #expect(interest.remarks && interest.truth == .all && interest.contains(.unlock))
    }
    let nothing = TeeSink<Log<None>, Log<None>>.interest
    #expect(!nothing.remarks && nothing.truth == EventKinds() && !nothing.contains(.openOwnApp))
    var sink = TeeSink(Log<None>(), Log<None>())
    #expect(!sink.keepsEveryMiss && !sink.isFull)
    sink.first.keepsEveryMiss = true
    sink.second.isFull = true
    #expect(sink.keepsEveryMiss && sink.isFull)
    sink = TeeSink(sink.second, sink.first)
    #expect(sink.keepsEveryMiss && sink.isFull)
  }
}
