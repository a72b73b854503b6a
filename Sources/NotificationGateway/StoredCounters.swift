public import CivilTime
import TriggerModel

/// The scheduler's counters under the keys by which the first app of these rules keeps them in its
/// defaults:
///
/// - `ft.reminder.dailyCount.2026-03-02`: deliveries and reservations of the standard bucket on a local day,
///   whose date is Gregorian and in ASCII digits whatever the phone's calendar and language;
/// - `ft.reminder.training_day.sentCount`: those of a type, ever; the type `trainingDay` in snake case.
///
/// These keys cannot hold everything of a ``GatewayState``. What is lost: when the last delivery was, so
/// that the minimum interval begins anew; counts by lapse, by type and day, and of the critical bucket; what
/// is pending or held; and the person's preferences.
public struct StoredCounters: Sendable {
  /// One number in the defaults of an app.
  public struct Entry: Hashable, Sendable {
    /// In one of the two forms above.
    public var key: String
    /// As it is stored: a number that no counter can have is an error when it is read.
    public var value: Int

    /// An entry, not checked yet.
    public init(key: String, value: Int) {
      self.key = key
      self.value = value
    }
  }

  /// What all keys begin with. Other keys are other parts' of the app.
  public static let prefix = "ft.reminder."

  private static let dayPrefix = prefix + "dailyCount."
  private static let typeSuffix = ".sentCount"

  /// By type.
  private let typeKeys: [String]

  /// - Parameter types: The names of the notification types; ``TriggerModel/TypeID`` is the position.
  public init(types: [String]) throws(StoredCounterError) {
    typeKeys = types.map { Self.prefix + SnakeCase.of($0) + Self.typeSuffix }
    for (index, key) in typeKeys.enumerated() {
      if let other = typeKeys[..<index].firstIndex(of: key) {
        throw StoredCounterError(key: key, problem: .sharedBy(types[other], types[index]))
      }
    }
  }

  /// The counters of a state, sorted by key; a counter of zero has no entry. Of the days before today only
  /// the latest are there: the others are forgotten.
  public func entries(of state: GatewayState) -> [Entry] {
    let days = state.dailyCounts.map { day, count in
      Entry(key: Self.dayPrefix + day.iso8601, value: Int(count))
    }
    let types = zip(typeKeys, state.types).filter { $0.1.lifetime > 0 }
      .map { Entry(key: $0.0, value: Int($0.1.lifetime)) }
    return (days + types).sorted { $0.key < $1.key }
  }

  /// The state that has these counters, and is fresh otherwise. Keys of other parts of the app are passed
  /// over.
  public func state(of entries: [Entry]) throws(StoredCounterError) -> GatewayState {
    var state = GatewayState(typeCount: typeKeys.count)
    for entry in entries where entry.key.hasPrefix(Self.prefix) {
      guard let count = UInt32(exactly: entry.value) else {
        throw StoredCounterError(key: entry.key, problem: .outOfRange(entry.value))
      }
      if entry.key.hasPrefix(Self.dayPrefix) {
        let text = entry.key.dropFirst(Self.dayPrefix.count)
        do throws(InvalidCivilText) {
          state.days.set(.standard, on: try CivilDate(iso8601: text), to: count)
        } catch {
          throw StoredCounterError(key: entry.key, problem: .badDate(error))
        }
      } else if let type = typeKeys.firstIndex(of: entry.key) {
        state.types[type].lifetime = count
      } else {
        throw StoredCounterError(
          key: entry.key, problem: .unknown(nearest: NearestNames.of(entry.key, among: typeKeys)))
      }
    }
    return state
  }
}

/// Why stored counters cannot be used: which key is wrong, and how.
public struct StoredCounterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the key, or with what stands under it.
  public enum Problem: Hashable, Sendable {
    /// It counts neither a day nor a known type; `nearest` are keys that look like it.
    case unknown(nearest: [String])
    /// What follows `dailyCount.` is no date.
    case badDate(InvalidCivilText)
    /// Negative, or more than any counter reaches.
    case outOfRange(Int)
    /// Two types would be stored under this key.
    case sharedBy(String, String)
  }

  /// As it stands in the defaults.
  public var key: String
  /// What is wrong.
  public var problem: Problem

  package init(key: String, problem: Problem) {
    self.key = key
    self.problem = problem
  }

  public var description: String {
    switch problem {
    case .unknown(let nearest):
      "\(key) is no stored counter; "
        + (nearest.isEmpty
          ? "the keys are ft.reminder.dailyCount.DATE and ft.reminder.TYPE.sentCount"
          : "did you mean \(nearest.joined(separator: " or "))?")
    case .badDate(let error): "\(key): \(error)"
    case .outOfRange(let value): "\(key) is \(value); a counter is 0 to \(UInt32.max)"
    case .sharedBy(let first, let second):
      "the types \(first) and \(second) share the key \(key); rename one of them"
    }
  }
}
