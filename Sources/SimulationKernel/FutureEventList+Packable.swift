package import TriggerModel

/// What is pending, in order. Handles do not outlive it.
extension FutureEventList: Packable {
  /// - Complexity: O(*n*)
  package mutating func pack(in parcel: inout Parcel) {
    var notices: [EventNotice<Payload>] = []
    var clock = now
    parcel.carry(&clock)
    if !parcel.isUnpacking {
      while let notice = popNext() { notices.append(notice) }
    }
    parcel.carry(&notices)
    if !parcel.isUnpacking { return }
    (start, store) = (clock, nil)
    for notice in notices { schedule(at: notice.time, priority: notice.priority, notice.payload) }
  }
}
