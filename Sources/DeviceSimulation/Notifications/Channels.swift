import TriggerModel

/// The presentation that the system settings allow for a type of notifications (rule A10).
package enum ChannelImportance: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The notification is not shown.
  case off
  /// The notification is shown in the list only.
  case silent
  /// The notification is shown with a banner.
  case alerting
}

/// The app's channels, one for each type of notification.
struct Channels: Hashable, Sendable {
  /// The user's choice for each type, or `nil` if the user has not changed the channel.
  private var chosen: [ChannelImportance?] = []
  /// The initial importance of the app's channels.
  private let usual: ChannelImportance

  init(areSilent: Bool) {
    usual = areSilent ? .silent : .alerting
  }

  subscript(type: TypeID) -> ChannelImportance {
    get { type.index < chosen.count ? chosen[type.index] ?? usual : usual }
    set {
      chosen.grow(toHold: type.index, filling: nil)
      chosen[type.index] = newValue
    }
  }
}

extension Channels: Packable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&chosen) }
}
