import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

@testable import Journal
@testable import Statistics

/// An independent count of the figures in the accounts, based on every notification.
struct Recount: JournalSink {
  private struct Reminder {
    var (matches, requests, denied, failed, admitted, dropped) = (0, 0, 0, 0, 0, 0)
    var (delivered, exposed, listed, tapped, dismissed, due) = (0, 0, 0, 0, 0, 0)
    var (removed, refused) = (0, 0)
    var isStated = false
    var faults: [String] = []
  }

  /// A notification of a device.
  private struct Notification: Hashable {
    var device: UInt8
    var id: RequestID
  }

  private var reminders: [Reminder]
  /// The notifications to which the person can respond, in order of delivery.
  private var visible: [Notification] = []
  private var held: [Notification] = []
  /// The admitted requests that have not ended. An identifier may recur after the app's store was lost.
  private var open: [Notification: Int] = [:]
  /// Whether a person model responds to the notifications without a declared response.
  private let isModelled: Bool

  init(_ program: Program) {
    reminders = Array(repeating: Reminder(), count: program.reminders.reminderCount)
    isModelled = program.scenario.person != nil
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .happened(.tap(let id)), .happened(.dismiss(let id)), .happened(.ignore(let id)),
      .happened(.act(let id, _)):
      reminders[id.index].isStated = true
    case .effect(let effect): take(effect, stamp.device)
    case .outcome(let outcome): take(outcome, stamp.device)
    case .due(let id, _, _): reminders[id.reminder.index].due += 1
    case .truth(let event) where event.kind == .tapped || event.kind == .dismissed:
      let notification = Notification(device: stamp.device, id: event.request)
      if let index = visible.lastIndex(of: notification) {
        visible.remove(at: index)
      } else {
        fault(notification, "gets a response and is not there")
      }
      if event.kind == .tapped { reminders[notification.id.reminder.index].tapped += 1 }
      if event.kind == .dismissed { reminders[notification.id.reminder.index].dismissed += 1 }
    default: break
    }
  }

  private mutating func take(_ effect: EngineEffect, _ device: UInt8) {
    switch effect {
    case .noRequest(let reminder, _, _): reminders[reminder.index].matches += 1
    case .request(let request):
      reminders[request.id.reminder.index].matches += 1
      reminders[request.id.reminder.index].requests += 1
    case .decided(let request, let decision):
      switch decision.outcome {
      case .admit:
        reminders[request.id.reminder.index].admitted += 1
        open[Notification(device: device, id: request.id), default: 0] += 1
      case .deny: reminders[request.id.reminder.index].denied += 1
      case .fail: reminders[request.id.reminder.index].failed += 1
      case .defer: break
      }
    case .dropped(let request, _): reminders[request.id.reminder.index].dropped += 1
    default: break
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ device: UInt8) {
    switch outcome {
    case .delivered(let id, let presentation):
      let notification = Notification(device: device, id: id)
      end(notification)
      reminders[id.reminder.index].delivered += 1
      if presentation.surface != .none { expose(notification, inList: presentation.surface == .list) }
      if presentation.surface == .none, presentation.cause == .summary { held.append(notification) }
    case .presentedLate(let id, _):
      let notification = Notification(device: device, id: id)
      if let index = held.firstIndex(of: notification) {
        held.remove(at: index)
      } else {
        fault(notification, "is shown late and was not held")
      }
      expose(notification, inList: true)
    // The request was withdrawn to wait for a different end of quiet hours. It is no longer admitted, but it
    // is not lost.
    case .removed(let id, .quietHours):
      end(Notification(device: device, id: id))
      reminders[id.reminder.index].admitted -= 1
    case .removed(let id, _):
      end(Notification(device: device, id: id))
      reminders[id.reminder.index].removed += 1
    // The system adds the next occurrence automatically, and the pending request only moves to another time.
    case .repeated(let id, _, _):
      if open[Notification(device: device, id: id), default: 0] > 0 { break }
      reminders[id.reminder.index].matches += 1
      reminders[id.reminder.index].requests += 1
      reminders[id.reminder.index].admitted += 1
      open[Notification(device: device, id: id), default: 0] += 1
    case .refused(let id, _):
      end(Notification(device: device, id: id))
      reminders[id.reminder.index].refused += 1
    default: break
    }
  }

  /// Records the end of an admitted request. A request may end only once.
  private mutating func end(_ notification: Notification) {
    open[notification, default: 0] -= 1
    if open[notification, default: 0] < 0 { fault(notification, "ends and was not admitted, or has ended") }
  }

  private mutating func expose(_ notification: Notification, inList: Bool) {
    visible.append(notification)
    reminders[notification.id.reminder.index].exposed += 1
    if inList { reminders[notification.id.reminder.index].listed += 1 }
  }

  private mutating func fault(_ notification: Notification, _ what: String) {
    reminders[notification.id.reminder.index].faults.append("\(notification.id.occurrence) \(what)")
  }

  /// Returns the contradictions in a reminder's account.
  func problems(with account: ReminderAccount, of index: Int) -> [String] {
    let own = reminders[index]
    var problems = own.faults
    func same(_ name: String, _ figure: Int, _ counted: Int) {
      if figure != counted { problems.append("\(name): \(figure), counted \(counted)") }
    }
    same("delivered", account.delivered, own.delivered)
    same("exposed", account.exposed, own.exposed)
    same("listed", account.listed, own.listed)
    same("tapped", account.tapped, own.tapped)
    same("dismissed", account.dismissed, own.dismissed)
    same("answerable", account.answerable, own.isStated || isModelled ? own.exposed : 0)
    same("due", account.dueRequests, own.due)
    same("denied", account.denied.total, own.denied)
    same("failed", account.failed, own.failed + own.refused)
    same("without a request", account.noRequest.total, own.matches - own.requests)
    // A process that loads a stale store repeats the requests of earlier events.
    let revived = account.unfoundedBecause["storeStale"] ?? 0
    same("requests", account.requests + account.replaced, own.requests + revived)
    same("matches", account.matches, own.matches + revived)
    let replaced = own.dropped + own.removed - account.dropped.total - account.lost.total
    same("replaced", account.replaced, replaced)
    let lost = account.unmadeBecause.values
    same("due", account.dueRequests, account.requests - account.unfounded - account.early + account.unmade)
    if lost.contains(where: { $0 <= 0 }) { problems.append("\(account.unmadeBecause)") }
    let pending = own.admitted - own.refused - own.removed - own.delivered
    same("pending", account.pending, pending)
    let parts = [
      account.unfounded, account.early, account.pending, account.ignored, account.held, account.replaced,
      account.deferrals, account.exposed - account.tapped - account.dismissed,
      account.delivered - account.exposed,
      account.admitted - account.delivered, account.requests - account.admitted,
    ]
    if parts.contains(where: { $0 < 0 }) { problems.append("\(parts)") }
    return problems
  }
}
