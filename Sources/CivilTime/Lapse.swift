/// Local times on some days after the app was last opened, such as the third, fifth and seventh.
///
/// A closed app evaluates nothing: when it is opened, and when it first starts, every stage is handed to
/// the system beforehand, with its conditions looked at as for that instant; opening it again takes
/// back what is left, and plans anew. The n-th stage shows the n-th text.
public struct Lapse: Hashable, Sendable {
  /// Local dates crossed since the opening, at least 1, ascending.
  public var days: [Int]
  /// Minute of the local day, 0 ... 1439.
  public var minute: Int

  /// One stage for each of the days, all at this minute.
  public init(days: [Int], minute: Int) {
    self.days = days
    self.minute = minute
  }
}
