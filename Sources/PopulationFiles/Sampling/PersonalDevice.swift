import CivilTime
import DeviceSimulation
import ScenarioModel
import SimulationKernel
import TriggerModel

/// How a person uses a device beside the phone.
struct PersonalDevice {
  /// Among the devices that the person has.
  let number: UInt8
  private let window: DailyWindow
  private let names: DeviceNames
  /// In seconds.
  private let unlockGap: Double
  private let unlockLength: Double

  /// - Returns: Nil where the person does not have it, or only the time line says how it is used.
  init?(_ habit: DeviceHabit, _ names: DeviceNames, _ keys: HabitKeys, without lacks: DeviceSet) {
    guard !lacks.contains(device: habit.device), let use = habit.use else { return nil }
    let rate = keys.trait.named(names.unlockRate)
      .logNormal(median: use.unlocksPerHour.median, sigma: use.unlocksPerHour.sigma, 0)
    guard rate > 0 else { return nil }
    number = lacks.number(without: habit.device)
    window = use.window
    self.names = names
    unlockGap = 3_600 / min(rate, 240)
    unlockLength = Double(use.unlockLength.milliseconds) / 1_000
  }

  /// The unlocks and locks of the part of a day in which it is used, in seconds after midnight.
  func draw(_ day: Int, _ keys: HabitKeys, _ add: (PhoneEvent, Int64) -> Void) {
    let gaps = keys.habit.named(names.unlockGap)
    let lengths = keys.habit.named(names.unlockLength)
    let from = Int64(window.from) * 60
    let to = Int64(window.to) * 60 + (window.to <= window.from ? 86_400 : 0)
    var occurrence = UInt64(day) << 12
    var time = from + Int64(min(gaps.exponential(mean: unlockGap, occurrence), 1e9))
    while time < to {
      occurrence += 1
      let next = time + max(Int64(min(gaps.exponential(mean: unlockGap, occurrence), 1e9)), 10)
      let length = 3 + Int64(min(lengths.exponential(mean: unlockLength, occurrence), 14_400))
      add(.unlock, time)
      add(.lock, min(time + length, next - 2, to))
      time = next
    }
  }
}
