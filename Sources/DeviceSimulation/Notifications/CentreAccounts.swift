package import TriggerModel

/// What became of every request that was handed to a notification centre.
package struct CentreAccounts: Hashable, Sendable {
  /// Every request handed over.
  package private(set) var handed = 0
  /// Delivered, and to be seen.
  package private(set) var exposed = 0
  /// Delivered, and not to be seen, or not yet.
  package private(set) var hidden = 0
  /// Refused or removed, by the raw value of the reason.
  private var lost = [UInt32](repeating: 0, count: Reason.allCases.count)

  package init() {}

  /// How many were refused or removed for a reason.
  package func lost(_ reason: Reason) -> Int { Int(lost[Int(reason.rawValue)]) }

  package var delivered: Int { exposed + hidden }
  package var lostInAll: Int { lost.reduce(0) { $0 + Int($1) } }

  /// Whether each request has exactly one fate, with this many still pending.
  package func closes(pending: Int) -> Bool {
    handed == delivered + lostInAll + pending
  }

  mutating func hand() { handed += 1 }
  mutating func lose(_ reason: Reason) { lost[Int(reason.rawValue)] += 1 }
  mutating func deliver(_ presentation: Presentation) {
    if presentation.isExposed { exposed += 1 } else { hidden += 1 }
  }

  /// A notification that was held is shown after all.
  mutating func presentLate() {
    hidden -= 1
    exposed += 1
  }
}

extension CentreAccounts: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.handed, \.exposed, \.hidden)
    parcel.carry(&lost)
  }
}
