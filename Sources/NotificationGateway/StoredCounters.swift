public import CivilTime
import TriggerModel

/// The scheduler's counters under the keys that the FitMe app uses in its defaults:
///
/// - `ft.reminder.dailyCount.2026-03-02`: standard deliveries and reservations on a local day. The date is
///   Gregorian and has ASCII digits, whatever the phone's calendar and language.
/// - `ft.reminder.training_day.sentCount`: the lifetime count of a type, here `trainingDay` in snake case.
///
/// These keys represent only a part of a ``GatewayState``. There is no key for the time of the last delivery,
/// so the minimum interval starts over. Counts by lapse, by type and day, and in the critical bucket are also
/// missing, as are pending and deferred requests and the person's preferences.
public struct StoredCounters: Sendable {
  /// One number in an app's defaults.
  public struct Entry: Hashable, Sendable {
    /// The key, in one of the two forms above.
    public var key: String
    /// The stored value. Reading an impossible value throws an error.
    public var value: Int

    /// Creates an unchecked entry.
    public init(key: String, value: Int) {
      self.key = key
      self.value = value
    }
  }

  /// The prefix of all these keys. Keys without it belong to other parts of the app.
  public static let prefix = "ft.reminder."

  private static let dayPrefix = prefix + "dailyCount."
  private static let typeSuffix = ".sentCount"

  /// The key of each type.
  private let typeKeys: [String]

  /// Creates the keys of the counters.
  ///
  /// - Parameter types: The names of the notification types, in the order of ``TriggerModel/TypeID``.
  public init(types: [String]) throws(StoredCounterError) {
    typeKeys = types.map { Self.prefix + SnakeCase.of($0) + Self.typeSuffix }
    for (index, key) in typeKeys.enumerated() {
      if let other = typeKeys[..<index].firstIndex(of: key) {
        throw StoredCounterError(key: key, problem: .sharedBy(types[other], types[index]))
      }
    }
  }

  /// Returns the counters of a state, sorted by key. Counters of zero are omitted, and only the latest days
  /// before today are included.
  public func entries(of state: GatewayState) -> [Entry] {
    let days = state.dailyCounts.map { day, count in
      Entry(key: Self.dayPrefix + day.iso8601, value: Int(count))
    }
    let types = zip(typeKeys, state.types).filter { $0.1.lifetime > 0 }
      .map { Entry(key: $0.0, value: Int($0.1.lifetime)) }
    return (days + types).sorted { $0.key < $1.key }
  }

  /// Returns the state of a fresh installation with these counters. Keys of other parts of the app are
  /// ignored.
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

/// An error in a stored counter.
public struct StoredCounterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Problem: Hashable, Sendable {
    /// The key names neither a day nor a known type. `nearest` lists the keys that resemble it.
    case unknown(nearest: [String])
    /// The part after `dailyCount.` is not a date.
    case badDate(InvalidCivilText)
    /// The value is negative, or too large for a counter.
    case outOfRange(Int)
    /// Two types share this key.
    case sharedBy(String, String)
  }

  /// The key as it is stored in the defaults.
  public var key: String
  /// The kind of error.
  public var problem: Problem

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
