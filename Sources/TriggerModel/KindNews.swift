/// What every event of a kind says of where the phone is, and whether it is charged: in numbers, for of what kind the next
/// event is can hardly be foretold, and what is worked out needs no branch.
package struct KindNews: Sendable, BitwiseCopyable {
  /// 1 where the event's subject is a region that was entered or left.
  package let region: UInt8
  /// 1 where it was entered.
  package let enters: UInt8
  /// Whether the phone is charged after the event: bit 0 if it was before, bit 1 whatever was before.
  package let charger: UInt8
  /// 1 where an event may say more than that, and that its trigger has come.
  package let saysMore: UInt8

  package init(of kind: ObservedEvent.Kind) {
    region = kind == .regionEntered || kind == .regionExited ? 1 : 0
    enters = kind == .regionEntered ? 1 : 0
    charger = kind == .chargingStarted ? 3 : kind == .chargingStopped ? 0 : 1
    saysMore = region != 0 || charger != 1 || kind.isTriggerAlone ? 0 : 1
  }
}

extension ObservedEvent.Kind {
  /// Whether it says nothing but that the trigger has come: where nobody listens to it, there is nothing to look at.
  package var isTriggerAlone: Bool {
    switch self {
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited, .factChanged, .factFound, .woken,
      .located, .opened:
      false
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .regionFailed, .zoneChanged, .clockChanged,
      .permissionChanged, .launched, .storeAvailable, .reinstalled, .addFailed, .pendingDropped, .delivered,
      .tapped, .dismissed, .acted, .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged,
      .deliveredElsewhere:
      true
    }
  }
}
