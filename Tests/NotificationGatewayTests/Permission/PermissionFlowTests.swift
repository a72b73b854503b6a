import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import NotificationGateway

@Suite("The flow of the permission to notify")
struct PermissionFlowTests {
  /// Returns random events.
  private static func events(_ count: Int, seed: UInt64) -> [PermissionFlow.Event] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.one(of: PermissionFlow.Event.allCases) }
  }

  @Test func `random events show at most one banner, only after a denial at the prompt`() {
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

  @Test func `the transition table has at most one row per phase and event, and covers every step and event`()
  {
    let rows = PermissionFlow.transitions
    let keys = rows.map { [Int($0.from.rawValue), Int($0.event.rawValue)] }
    #expect(Set(keys).count == keys.count)
    #expect(Set(rows.compactMap(\.step) + [.bannerShown]) == Set(PermissionFlow.Step.allCases))
    #expect(Set(rows.map(\.event) + [.open]) == Set(PermissionFlow.Event.allCases))
  }

  @Test func `after a denial, the banner is shown once at the next opening, and the settings row stays`() {
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

  @Test func `a banner that is due is not shown while the permission is granted`() {
    var flow = PermissionFlow()
    _ = flow.take(.deny)
    _ = flow.take(.allowInSettings)
    #expect(flow.take(.open) == nil)
    _ = flow.take(.forbidInSettings)
    #expect(flow.take(.open) == .bannerShown)
  }

  @Test func `priming has no effect after the decision`() {
    for permission in NotificationPermission.allCases {
      var flow = PermissionFlow(permission)
      #expect((flow.take(.prime) == .primingShown) == (permission == .notDetermined), "\(permission)")
      #expect(flow.row == (permission.allowsDelivery ? .on : permission == .denied ? .openSettings : .ask))
    }
  }

  @Test func `a restart keeps the decision and a due banner, and closes the explanation`() throws {
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

  @Test func `case 56: a prompt that the system shows a second time is a second request`() {
    var flow = PermissionFlow()
    #expect(flow.take(.ask) == .requested)
    #expect(flow.take(.deny) == .denied)
    #expect(flow.take(.ask) == .requested)
    #expect(flow.take(.grant) == .granted)
    #expect(flow.take(.ask) == nil, "an app that may notify does not ask")
  }
}
