import DeviceSimulation
import Journal
import SimulationKernel
import TriggerModel

/// The timers of a world: one future event list for all devices and participants.
typealias Timers = FutureEventList<WorldTimer>

/// Whom a timer calls: seven bytes, so that it fits into the future event list.
struct WorldTimer: Hashable, Sendable, BitwiseCopyable {
  var timer: DeviceTimer
  /// The device's number.
  var device: UInt8
}

enum DeviceTimer: Hashable, Sendable, BitwiseCopyable {
  case phone(PhoneTimer)
  /// What the participant has asked to be told again.
  case participant(subject: UInt32, ParticipantID)
  case sync(SyncService.Errand)
}
