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
  private let unlocks: UnlockSeries

  /// - Returns: Nil where the person does not have it, or only the time line says how it is used.
  init?(_ habit: DeviceHabit, _ names: DeviceNames, _ keys: HabitKeys, without lacks: DeviceSet) {
    guard !lacks.contains(device: habit.device), let use = habit.use else { return nil }
    let rate = keys.trait.named(names.unlockRate)
      .logNormal(median: use.unlocksPerHour.median, sigma: use.unlocksPerHour.sigma, 0)
    guard rate > 0 else { return nil }
    number = lacks.number(without: habit.device)
    window = use.window
    unlocks = UnlockSeries(
      rate, length: use.unlockLength, gapName: names.unlockGap, lengthName: names.unlockLength)
  }

  /// The unlocks and locks of the part of a day in which it is used, in seconds after midnight.
  func draw(_ day: Int, _ keys: HabitKeys, _ add: (PhoneEvent, Int64) -> Void) {
    let from = Int64(window.from) * 60
    let to = Int64(window.to) * 60 + (window.to <= window.from ? 86_400 : 0)
    var luck = unlocks.day(day, keys)
    var time = from + luck.nextGap()
    while time < to {
      luck.advance()
      let (lock, next) = luck.use(at: time)
      add(.unlock, time)
      add(.lock, min(lock, to))
      time = next
    }
  }
}
