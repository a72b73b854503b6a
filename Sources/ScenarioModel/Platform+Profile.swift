package import DeviceSimulation
package import PersonModel

extension TapModel.Platform {
  /// What the people of a system have in the hand.
  package init(_ system: PlatformProfile.System) {
    switch system {
    case .ios: self = .ios
    case .android: self = .android
    }
  }
}
