extension Collection {
  /// What is written only where it says something.
  package var unlessEmpty: Self? { isEmpty ? nil : self }
}
