/// The number of points or rows that an import accepted, omitted or changed, with the reasons.
///
/// Nothing is dropped silently: ``read`` equals ``taken`` plus the cases of all findings that are omissions
/// (``Finding/Kind/isOmission``).
package struct ImportSummary: Hashable, Codable, Sendable {
  /// A reason, with the number of its cases and the first case.
  package struct Finding: Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
      // Omissions.
      case invalidCoordinate
      case untimed
      case unreadableTime
      case implausibleTime
      case otherKind
      case inaccurate
      case repeated
      case sameTime
      case farOff
      case wrongFieldCount
      case unreadableField
      case unknownCode
      case otherTimeUnit
      case otherDevice
      case otherTrack
      case overlapping
      case outside

      // Accepted, but notable.
      case stepBack
      case jump
      case gap
      case zoneAssumed
      case versionAssumed
      case accuracyFromDilution
      case accuracyUnreadable
      case accuracyUnknown
      case scheduled
      case lockImplied
    }

    package var kind: Kind
    package var count: Int
    /// The line of the first case, from 1, or 0 if it is unknown.
    package var firstLine: Int
  }

  /// The name of the file that the caller passed.
  package var file: String
  /// The number of points or rows in the file.
  package var read = 0
  /// The number of points or rows in the result.
  package var taken = 0
  /// The findings with at least one case, in the order of ``Finding/Kind``.
  package private(set) var findings: [Finding] = []

  package init(file: String) {
    self.file = file
  }

  /// Counts one case of a finding.
  package mutating func note(_ kind: Finding.Kind, line: Int) { note(kind, count: 1, line: line) }

  /// Counts accepted points as omitted, because of the scenario or one of its other recordings.
  package mutating func leaveOut(_ kind: Finding.Kind, count: Int) {
    taken -= count
    note(kind, count: count, line: 0)
  }

  private mutating func note(_ kind: Finding.Kind, count: Int, line: Int) {
    guard let index = findings.firstIndex(where: { $0.kind.order >= kind.order }) else {
      findings.append(Finding(kind: kind, count: count, firstLine: line))
      return
    }
    if findings[index].kind == kind {
      findings[index].count += count
      let lines = [findings[index].firstLine, line].filter { $0 > 0 }
      findings[index].firstLine = lines.min() ?? 0
    } else {
      findings.insert(Finding(kind: kind, count: count, firstLine: line), at: index)
    }
  }

  /// Returns the number of cases of a finding.
  package func count(_ kind: Finding.Kind) -> Int {
    findings.first { $0.kind == kind }?.count ?? 0
  }

  /// The number of omitted points or rows.
  package var leftOut: Int {
    findings.reduce(0) { $0 + ($1.kind.isOmission ? $1.count : 0) }
  }

  /// The summary as sentences for a report, one per line.
  package var lines: [String] {
    ["\(file): \(read) read, \(taken) taken"] + findings.map(\.description)
  }
}

extension ImportSummary.Finding.Kind {
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Whether the result does not contain the point or row.
  package var isOmission: Bool {
    switch self {
    case .invalidCoordinate, .untimed, .unreadableTime, .implausibleTime, .otherKind, .inaccurate, .repeated,
      .sameTime, .farOff, .wrongFieldCount, .unreadableField, .unknownCode, .otherTimeUnit, .otherDevice,
      .otherTrack, .overlapping, .outside:
      true
    case .stepBack, .jump, .gap, .zoneAssumed, .versionAssumed, .accuracyFromDilution, .accuracyUnreadable,
      .accuracyUnknown, .scheduled, .lockImplied:
      false
    }
  }

  /// A description of the reason.
  package var explanation: String {
    switch self {
    case .invalidCoordinate: "without a valid latitude and longitude"
    case .untimed: "without a time"
    case .unreadableTime: "with a time that cannot be read"
    case .implausibleTime: "with a time before GPS existed (1980-01-06)"
    case .otherKind: "of a point kind that is not used"
    case .inaccurate: "less accurate than requested"
    case .repeated: "repeating the time and place of an earlier one"
    case .sameTime: "at the same time as an earlier one, elsewhere"
    case .farOff: "too far away to be reached and left again"
    case .wrongFieldCount: "with more or fewer fields than the header"
    case .unreadableField: "with a number that cannot be read"
    case .unknownCode: "with an unknown code"
    case .otherTimeUnit: "with a time in another unit than the first row's"
    case .otherDevice: "of another device"
    case .otherTrack: "of another track"
    case .overlapping: "at a time when an earlier track determines the phone's position"
    case .outside: "before the scenario starts or after it ends"
    case .stepBack: "earlier than the previous one; sorted by time"
    case .jump: "too far from the previous one to be reached; taken as the start of a new segment"
    case .gap: "after a gap; taken as the start of a new segment"
    case .zoneAssumed: "with a time without zone; read as UTC"
    case .versionAssumed: "without a GPX version; read as 1.1"
    case .accuracyFromDilution: "with an accuracy estimated from hdop"
    case .accuracyUnreadable: "with an accuracy that cannot be read; taken as unknown"
    case .accuracyUnknown: "of unknown accuracy, which the filter lets pass"
    case .scheduled: "without a time; given one by the schedule"
    case .lockImplied: "of unlocks in a table without locks; each implies a lock before it"
    }
  }
}

extension ImportSummary.Finding: CustomStringConvertible {
  /// A description such as `12 without a time: omitted (first at line 7)`.
  package var description: String {
    "\(count) \(kind.explanation)\(kind.isOmission ? ": omitted" : "")"
      + (firstLine > 0 ? " (first at line \(firstLine))" : "")
  }
}
