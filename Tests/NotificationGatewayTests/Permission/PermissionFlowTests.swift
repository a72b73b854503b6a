import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import NotificationGateway

@Suite("The flow of the permission to notify")
struct PermissionFlowTests {
  /// Everything that can happen, in an order that only the seed decides.
  private static func events(_ count: Int, seed: UInt64) -> [PermissionFlow.Event] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.one(of: PermissionFlow.Event.allCases) }
  }

  @Test("whatever happens: one banner, only after a denial at the prompt, and steps follow their causes")
  func properties() {
    for seed in 0..<300 as Range<UInt64> {
      var flow = PermissionFlow()
      var denials = 0
      var banners = 0
      var isPrimed = false
      for event in Self.events(60, seed: seed) {
        let before = flow
        let step = flow.take(event)
        switch step {
        case .primingShown:
          #expect(event == .prime && before.phase == .undecided, "seed \(seed)")
          isPrimed = true
        case .primingSkipped: #expect(event == .skip && isPrimed, "seed \(seed)")
        case .requested: #expect(event == .ask && before.phase != .granted, "seed \(seed)")
        case .granted: #expect(event == .grant && flow.row == .on, "seed \(seed)")
        case .denied:
          #expect(event == .deny && flow.row == .openSettings, "seed \(seed)")
          denials += 1
        case .bannerShown:
          #expect(event == .open && denials > 0 && flow.row == .openSettings, "seed \(seed)")
          banners += 1
        case nil: #expect(event != .prime || before.phase != .undecided, "seed \(seed)")
        }
        if flow.phase != .primed { isPrimed = false }
        #expect(isPrimed == (flow.phase == .primed), "seed \(seed)")
      }
      #expect(banners <= 1, "seed \(seed)")
    }
  }

  @Test("the table has one row at most for a phase and an event, and every step and event has one")
  func table() {
    let rows = PermissionFlow.transitions
    let keys = rows.map { [Int($0.from.rawValue), Int($0.event.rawValue)] }
    #expect(Set(keys).count == keys.count)
    #expect(Set(rows.compactMap(\.step) + [.bannerShown]) == Set(PermissionFlow.Step.allCases))
    #expect(Set(rows.map(\.event) + [.open]) == Set(PermissionFlow.Event.allCases))
  }

  @Test("a denial leads to the settings once, at the next opening, and the row stays")
  func denial() {
    var flow = PermissionFlow()
    #expect(flow.row == .ask)
    #expect(flow.take(.prime) == .primingShown)
    #expect(flow.take(.ask) == .requested)
    #expect(flow.take(.deny) == .denied)
    #expect(flow.take(.open) == .bannerShown)
    #expect(flow.take(.open) == nil)
    #expect(flow.row == .openSettings)
    #expect(flow.take(.allowInSettings) == nil)
    #expect(flow.row == .on)
    #expect(flow.take(.forbidInSettings) == nil)
    #expect(flow.take(.open) == nil, "never again")
  }

  @Test("a banner that is due waits while the permission is granted, and is shown when it is not")
  func waitingBanner() {
    var flow = PermissionFlow()
    _ = flow.take(.deny)
    _ = flow.take(.allowInSettings)
    #expect(flow.take(.open) == nil)
    _ = flow.take(.forbidInSettings)
    #expect(flow.take(.open) == .bannerShown)
  }

  @Test("priming asks for nothing once the permission is decided, whoever decided it")
  func decided() {
    for permission in NotificationPermission.allCases {
      var flow = PermissionFlow(permission)
      #expect((flow.take(.prime) == .primingShown) == (permission == .notDetermined), "\(permission)")
      #expect(flow.row == (permission.allowsDelivery ? .on : permission == .denied ? .openSettings : .ask))
    }
  }

  @Test("a restart keeps what is decided and what is due, and closes what was on the screen")
  func restart() throws {
    var flow = PermissionFlow()
    _ = flow.take(.prime)
    var stored = try JSONDecoder().decode(PermissionFlow.self, from: JSONEncoder().encode(flow))
    #expect(stored == flow)
    #expect(stored.take(.launch) == nil)
    #expect(stored.phase == .undecided && stored.take(.skip) == nil)
    _ = stored.take(.deny)
    var again = try JSONDecoder().decode(PermissionFlow.self, from: JSONEncoder().encode(stored))
    _ = again.take(.launch)
    #expect(again.take(.open) == .bannerShown)
  }

  @Test("case 56: a prompt that the system shows a second time is a second request")
  func secondPrompt() {
    var flow = PermissionFlow()
    #expect(flow.take(.ask) == .requested)
    #expect(flow.take(.deny) == .denied)
    #expect(flow.take(.ask) == .requested)
    #expect(flow.take(.grant) == .granted)
    #expect(flow.take(.ask) == nil, "an app that may notify does not ask")
  }
}
