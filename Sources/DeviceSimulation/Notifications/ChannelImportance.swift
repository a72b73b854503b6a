import TriggerModel

/// How far a type of notifications may go, as the user decides in the system's settings (rule A10).
package enum ChannelImportance: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing of it is shown.
  case off
  /// It goes to the list only.
  case silent
  /// It has a banner.
  case alerting
}

/// The channels of our app, one for each type.
struct Channels: Hashable, Sendable {
  /// By type, as far as the user has decided.
  private var chosen: [ChannelImportance?] = []
  /// As the app made them.
  private let usual: ChannelImportance

  init(areSilent: Bool) {
    usual = areSilent ? .silent : .alerting
  }

  subscript(type: TypeID) -> ChannelImportance {
    get { type.index < chosen.count ? chosen[type.index] ?? usual : usual }
    set {
      let missing = type.index + 1 - chosen.count
      if missing > 0 { chosen.append(contentsOf: repeatElement(nil, count: missing)) }
      chosen[type.index] = newValue
    }
  }
}

extension Channels: Packable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&chosen) }
}
