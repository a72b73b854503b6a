package import Recordings
package import TriggerModel

/// What happens in a program, in the order of happening, but for recorded fixes: the expanded time line, and what
/// recordings hold.
///
/// Few events are held. Of many only what the sources need is, and each walk through them reads the recordings again.
package struct ProgramEvents: Sequence, Sendable {
  package let count: Int
  private let held: [ProgramEvent]
  /// Nil: all are held.
  private let rest: EventMerge?

  /// - Parameter events: Ascending in time.
  package init(_ events: [ProgramEvent]) {
    count = events.count
    held = events
    rest = nil
  }

  init(_ merge: EventMerge, count: Int) {
    self.count = count
    held = []
    rest = merge
  }

  package func makeIterator() -> EventCursor { EventCursor(held, rest) }
}

/// A place among the events of a program. A value: a copy goes on from the same place.
package struct EventCursor: IteratorProtocol, Sendable {
  private var block: [ProgramEvent]
  /// Of the next event, in the block.
  private var position = 0
  private var rest: EventMerge?
  /// Why a recording cannot be read any more: nothing comes after that.
  package private(set) var problem: RecordingError?

  init(_ block: [ProgramEvent], _ rest: EventMerge?) {
    self.block = block
    self.rest = rest
    if block.isEmpty { readOn() }
  }

  /// The instant of the next event.
  @inline(__always)
  package var nextInstant: Instant {
    position < block.count ? block[position].instant : .distantFuture
  }

  package mutating func next() -> ProgramEvent? {
    guard position < block.count else { return nil }
    let event = block[position]
    position += 1
    if position == block.count { readOn() }
    return event
  }

  private mutating func readOn() {
    guard rest != nil else { return }
    position = 0
    do throws(RecordingError) {
      try rest?.takeBlock(into: &block)
    } catch {
      problem = error
      block = []
    }
    if block.isEmpty { rest = nil }
  }
}

extension EventCursor: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    var isHeld = rest == nil && problem == nil && !block.isEmpty
    parcel.carry(&isHeld)
    // What is read again piece by piece stays as it is.
    if isHeld { parcel.carry(&position) } else { parcel.keep(&self) }
  }
}
