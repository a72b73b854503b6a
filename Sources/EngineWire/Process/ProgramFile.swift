#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the file of a program, as a shell does.
struct ProgramFile {
  let path: String

  /// - Parameters:
  ///   - name: With a slash it is a path; otherwise it is looked for in the folders of `PATH`.
  ///   - command: The whole command, for the error.
  ///   - environment: Where `PATH` is taken from; without one only the system's folders are searched.
  init(_ name: String, command: String, environment: [String: String]) throws(EngineProcessError) {
    guard !name.utf8.contains(UInt8(ascii: "/")) else {
      switch Self.look(at: name) {
      case .runnable: path = name
      case .present: throw Self.notExecutable(name, command)
      case .absent:
        throw EngineProcessError(
          .notFound, command: command, "cannot be started: there is no file \(name)",
          remedy: "write its path from the folder that you are in, or from /")
      }
      return
    }
    var present: String?
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(
      separator: ":", omittingEmptySubsequences: false)
    for folder in folders {
      // An empty folder is the current one; so it has been since there is PATH.
      let file = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
      switch Self.look(at: file) {
      case .runnable:
        path = file
        return
      case .present: present = present ?? file
      case .absent: break
      }
    }
    if let present { throw Self.notExecutable(present, command) }
    throw EngineProcessError(
      .notFound, command: command, "cannot be started: there is no program \(name) on PATH",
      remedy: name.utf8.contains(UInt8(ascii: "="))
        ? "to set a variable, put the word env before it" : "install it, or write its path")
  }

  private enum Look { case runnable, present, absent }

  private static func look(at path: String) -> Look {
    var status = stat()
    guard stat(path, &status) == 0 else { return .absent }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return status.st_mode & S_IFMT == S_IFDIR ? .absent : .present
    }
    return access(path, X_OK) == 0 ? .runnable : .present
  }

  private static func notExecutable(_ path: String, _ command: String) -> EngineProcessError {
    EngineProcessError(
      .notExecutable, command: command, "cannot be started: \(path) is not marked as a program",
      remedy: "run: chmod +x \(path), or put the program that reads it first, as in: python3 \(path)")
  }
}
