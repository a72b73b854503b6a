import DeviceSimulation
import Journal
import TriggerModel

/// The process of our app on a device, and its store: the engine begins anew whenever one starts.
extension Device {
  /// The app's process starts; nothing of the one before it is left but what is stored.
  mutating func launch(
    isStoreOpen isOpen: Bool, _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    isStoreOpen = isOpen
    // Everybody's of a program are one, and stay so: it is told what is asked of it when it is a process of its own.
    let countsAlike = engine.countsAlike
    engine = pristine
    if engine.countsAlike != countsAlike { engine.countsAlike = countsAlike }
    let launch = ProcessLaunch(
      store: isOpen ? phone.store.contents : .locked, permission: phone.centre.permission,
      moment: stamp.moment, pendingCapacity: pendingCapacity, regionCapacity: regionCapacity,
      alarmsMayBeLate: alarmsMayBeLate)
    engine.launch(launch, into: &effects)
    perform(stamp, &timers, into: &sink)
  }

  /// The process has ended. What it was told before that, at the same instant, it has decided on.
  mutating func endProcess(
    _ stamp: RecordStamp, _ timers: inout Timers, into sink: inout some JournalSink
  ) {
    while isUnsettled {
      isUnsettled = engine.settle(at: stamp.moment, into: &effects) && !effects.isEmpty
      takeCounted(stamp, &timers, into: &sink)
      tell(.answers(effects), stamp, &timers, into: &sink)
      perform(stamp, &timers, into: &sink)
    }
    fetchState()
    phone.store.endProcess()
  }

  /// The engine wants its state to be stored. One that says so at every change is asked for it only when
  /// somebody will read it.
  mutating func persist() {
    guard isStoreOpen, phone.store.takesWrites else { return }
    hasUnwritten = true
    if !persistsEveryChange { fetchState() }
  }

  mutating func fetchState() {
    guard hasUnwritten else { return }
    hasUnwritten = false
    phone.store.write(engine.storedState())
  }
}
