/// Files as other tools may open them.
enum ReportedFile {
  /// The name of a file; nil of what is in none, as it came on standard input or with the tool.
  static func name(_ file: String) -> String? {
    file == "-" || file.hasPrefix("<") ? nil : file
  }
}
