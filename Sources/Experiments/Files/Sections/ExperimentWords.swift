/// Words that have a meaning of their own in files of experiments.
enum ExperimentWords {
  /// The kind that such a file says it has.
  static let kind = "experiment"
  /// What variants are compared with.
  static let base = "base"
}
