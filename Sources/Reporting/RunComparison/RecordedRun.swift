/// What a run left behind, as far as two runs can be held against each other.
package struct RecordedRun: Hashable, Sendable {
  /// What it was read from.
  package enum Source: String, Hashable, Sendable {
    /// Every decision, with its reason.
    case journal
    /// What was exposed and when; of what was not, counts by reason.
    case report
  }

  package var source: Source
  /// In the order of the run.
  package var scenarios: [RecordedScenario]

  package init(source: Source, scenarios: [RecordedScenario]) {
    self.source = source
    self.scenarios = scenarios
  }
}

/// One scenario of a run.
package struct RecordedScenario: Hashable, Sendable {
  /// As it was named when it was run.
  package var file: String
  package var title: String
  /// The platform profile.
  package var profile: String
  package var seed: String
  package var decisions: [RecordedDecision] = []
  /// By occasion: triggers for which nothing was asked, and why. A report has none.
  package var declined: [RecordedDecision.Occasion: String] = [:]
  /// In the order in which reports show them.
  package var metrics: [RecordedMetric] = []
  /// Losses of each reminder by reason; only of a report. In the order of the report.
  package var losses: [RecordedLoss] = []
  /// What the run was asked to hold, and whether it did: expectations and gates; only of a report.
  package var verdicts: [RecordedVerdict] = []

  package init(file: String, title: String, profile: String, seed: String) {
    self.file = file
    self.title = title
    self.profile = profile
    self.seed = seed
  }
}

/// What became of one notification that a reminder asked for.
package struct RecordedDecision: Hashable, Sendable {
  /// What it was asked for: the same in two runs of one scenario, whatever the engine and the policy are.
  package struct Occasion: Hashable, Sendable {
    package var reminder: String
    package var device: String
    package var person: Int
    /// For when it was meant, on the phone's clock: `2026-03-02T10:00:00+01:00`.
    package var time: String
    /// The how-manieth of one reminder for that time, from 0.
    package var repetition: Int
  }

  package var occasion: Occasion
  /// When it was asked for, in UTC.
  package var askedAt: String
  package var fate: Fate
}

/// The end of a request.
package struct Fate: Hashable, Sendable {
  /// When it was exposed, on the phone's clock; nil: it was not.
  package var shownAt: String?
  /// With the notification as subject: `fires`, `is denied by minimumInterval`.
  package var words: String
  /// A word of the closed lists that reports use, where there is one.
  package var reason: String?

  package init(shownAt: String? = nil, words: String, reason: String? = nil) {
    self.shownAt = shownAt
    self.words = words
    self.reason = reason
  }
}

/// A ratio, or a count where there is nothing to divide by.
package struct RecordedMetric: Hashable, Sendable {
  package var name: String
  package var numerator: Int
  package var denominator: Int?
}

package struct RecordedLoss: Hashable, Sendable {
  package var reminder: String
  package var reason: String
  package var count: Int
}

package struct RecordedVerdict: Hashable, Sendable {
  /// The expectation, or the gate's name.
  package var claim: String
  package var verdict: String
}
