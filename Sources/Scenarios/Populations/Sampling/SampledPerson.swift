package import DeviceSimulation
package import ScenarioModel
package import TriggerModel

/// One person who was drawn from a population. Memory that can be used for one person after the other.
package struct SampledPerson: Hashable, Sendable {
  package struct Event: Hashable, Sendable, BitwiseCopyable {
    package var instant: Instant
    package var event: PhoneEvent
    /// Among the devices that the person has, the phone being the first.
    package var device: UInt8 = 0
  }

  package struct Fact: Hashable, Sendable, BitwiseCopyable {
    package var fact: FactID
    package var value: FactValue
  }

  package var number: UInt64 = 0
  /// The platform profile.
  package var profile = ""
  /// In which the person lives; nil: the file's.
  package var zone: String?
  /// The name of the recorded phone whose days they are; nil: they are drawn.
  package var recording: String?
  /// Which devices of the file the person does not have.
  package var lacks = DeviceSet()
  /// Of a person who does not the app may notify on no device, whatever the file says.
  package var allowsNotifications = true
  package var facts: [Fact] = []
  /// In the order of happening.
  package var events: [Event] = []

  package init() {}
}
