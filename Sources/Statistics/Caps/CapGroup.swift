package import CivilTime
package import NotificationGateway
package import TriggerModel

/// What a cap counts together: of the deliveries that it counts, those of one group count beside each other.
///
/// What keeps it from that besides lies with the device: the app is opened, or installed anew.
package struct CapGroup: Hashable, Sendable {
  /// Nil: all types.
  package var type: TypeID?
  /// The local day, or the first of the week; nil: whenever.
  package var day: CivilDate?

  /// Nil: the cap does not count the delivery, or is none that counts.
  package init?(_ delivery: CountedDelivery, under cap: Reason, _ policy: CapPolicy) {
    let (type, day) = (delivery.type, delivery.day)
    switch (cap, delivery.bucket) {
    case (.dailyCap, .standard), (.userDailyCap, .standard), (.criticalDailyCap, .critical):
      self.day = day
    case (.typeDailyCap, .standard): (self.type, self.day) = (type, day)
    case (.typeWeeklyCap, .standard):
      (self.type, self.day) = (type, day + -day.weekday.days(since: policy.weekStart))
    case (.lifetimeCap, _), (.lapseCap, _): self.type = type
    default: return nil
    }
  }
}
