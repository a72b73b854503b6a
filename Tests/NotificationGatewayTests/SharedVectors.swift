import CivilTime
import Foundation
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

/// A shared vector. This parser is lenient, because the oracle's parser is strict.
struct SharedVector: Decodable {
  var id: String
  var timeZone: String
  var policy: Policy
  var steps: [Step]

  struct Step: Decodable {
    var at: String
    var `do`: String?
    var type: String?
    var bucket: String?
    var id: String?
    var deliverAt: String?
    var value: String?
    var timeZone: String?
    var expect: Expectation?
  }

  struct Expectation: Decodable {
    var decision: String
    var reason: String?
    var until: String?
    var alsoBlockedBy: [String]?
  }

  struct Policy: Decodable {
    var quietHours: [String]?
    var quietAction: String?
    var criticalBypassesQuietHours: Bool?
    var dailyCap: Int?
    var typeDailyCap: Int?
    var lifetimeCap: [String: Int]?
    var lapseCap: [String: Int]?
    var lifetimeSurvivesReinstall: Bool?
    var minimumIntervalMinutes: Int64?
    var minimumIntervalScope: String?
    var checkOrder: [String]?
    /// The keys that are present, which distinguishes a null value from a missing key.
    var keys: Set<String> = []

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case quietHours, quietAction, criticalBypassesQuietHours, dailyCap, typeDailyCap, lifetimeCap, lapseCap,
        lifetimeSurvivesReinstall, minimumIntervalMinutes, minimumIntervalScope, checkOrder
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      keys = Set(container.allKeys.map(\.rawValue))
      quietHours = try container.decodeIfPresent([String].self, forKey: .quietHours)
      quietAction = try container.decodeIfPresent(String.self, forKey: .quietAction)
      criticalBypassesQuietHours = try container.decodeIfPresent(
        Bool.self, forKey: .criticalBypassesQuietHours)
      dailyCap = try container.decodeIfPresent(Int.self, forKey: .dailyCap)
      typeDailyCap = try container.decodeIfPresent(Int.self, forKey: .typeDailyCap)
      lifetimeCap = try container.decodeIfPresent([String: Int].self, forKey: .lifetimeCap)
      lapseCap = try container.decodeIfPresent([String: Int].self, forKey: .lapseCap)
      lifetimeSurvivesReinstall = try container.decodeIfPresent(Bool.self, forKey: .lifetimeSurvivesReinstall)
      minimumIntervalMinutes = try container.decodeIfPresent(Int64.self, forKey: .minimumIntervalMinutes)
      minimumIntervalScope = try container.decodeIfPresent(String.self, forKey: .minimumIntervalScope)
      checkOrder = try container.decodeIfPresent([String].self, forKey: .checkOrder)
    }

    func capPolicy() throws -> CapPolicy {
      var policy = CapScript.vectorPolicy
      if keys.contains("quietHours") {
        policy.quietHours = try quietHours.map {
          WeeklyWindows(DailyWindow(from: try MinuteOfDay.parse($0[0]), to: try MinuteOfDay.parse($0[1])))
        }
      }
      if quietAction == "defer" {
        policy.quietAction = [.standard: .defer, .critical: .defer, .user: .defer]
      }
      policy.criticalBypassesQuietHours = criticalBypassesQuietHours ?? false
      policy.dailyCap = dailyCap ?? policy.dailyCap
      if keys.contains("typeDailyCap") { policy.typeDailyCap = typeDailyCap }
      policy.lifetimeCap = lifetimeCap ?? [:]
      policy.lapseCap = lapseCap ?? [:]
      policy.lifetimeSurvivesReinstall = lifetimeSurvivesReinstall ?? false
      if let minutes = minimumIntervalMinutes { policy.minimumInterval = .minutes(minutes) }
      if minimumIntervalScope == "all" { policy.minimumIntervalScope = .all }
      if let order = checkOrder { policy.checkOrder = order.compactMap(Reason.init(name:)) }
      return policy
    }
  }

  static func all() throws -> [SharedVector] {
    try JSONDecoder().decode([SharedVector].self, from: Shared.wholeOrSample("vectors/caps/vectors.json"))
  }

  /// Compares the decision on each request with the vector's expectation.
  func check(_ outcomes: [CapScript.Outcome], _ comment: Comment) {
    let expected = steps.filter { ($0.do ?? "request") == "request" }.map(\.expect)
    #expect(outcomes.count == expected.count, comment)
    for (got, want) in zip(outcomes, expected) {
      guard let want else { continue }
      #expect(got.decision.name == want.decision, comment)
      #expect(got.reason?.name == want.reason, comment)
      #expect(want.alsoBlockedBy == nil || got.alsoBlockedBy.map(\.name) == want.alsoBlockedBy, comment)
      #expect(want.until == nil || got.until?.iso8601 == want.until, comment)
    }
  }

  func script() throws -> CapScript {
    CapScript(
      policy: try policy.capPolicy(), zone: timeZone,
      steps: try steps.map { CapScript.Step(at: try Instant(iso8601: $0.at), action: try action($0)) })
  }

  private func action(_ step: Step) throws -> CapScript.Action {
    switch step.do ?? "request" {
    case "request":
      .request(
        type: try #require(step.type),
        bucket: Bucket.allCases.first { $0.name == step.bucket } ?? .standard, id: step.id,
        deliverAt: try Instant(iso8601: step.deliverAt ?? step.at))
    case "timeZone": .zone(try #require(step.timeZone))
    case "permission": .permission(step.value == "granted")
    case "failNext": .failNext
    case "cancel": .cancel(try #require(step.id))
    case "cancelAll": .cancelAll
    case "open": .open
    case "reinstall": .reinstall
    default: .respond
    }
  }
}
