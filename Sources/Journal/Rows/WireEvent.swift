import TriggerModel

/// A kind of value that a line of the journal holds: each of its cases is a row, with a word and fields.
///
/// The rows are three switches without `default`: a case that is added to the enumeration does not compile
/// until it has its word, what stands for it before its fields are read, and its fields.
protocol WireEvent {
  associatedtype Word: WireWord

  /// The row that a word names, with fields of no meaning.
  init(row word: Word, at moment: Moment)

  var word: Word { get }

  /// Hands the fields of the row through a coder, in the order in which they are written.
  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> Self
}
