import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A started program, with the bench's ends of its pipes.
struct Launch: ~Copyable {
  let process: Int32
  let family: ProcessFamily
  let input: Descriptor
  let output: Descriptor
  let errors: Descriptor

  init(_ path: String, _ words: [String], _ environment: [String: String]) throws(SystemError) {
    let toChild = try PipeEnds()
    let fromChild = try PipeEnds()
    let errorPipe = try PipeEnds()
    for ours in [toChild.writing.number, fromChild.reading.number, errorPipe.reading.number] {
      let error = child_do_not_block(ours)
      if error != 0 { throw SystemError(number: error) }
    }
    let marker = ProcessFamily.marker(input: toChild.reading.number)
    var process: pid_t = 0
    let error = Self.withCStrings(words) { arguments in
      // The variables are sorted, so that a program always prints the same environment. The marker is first
      // because a program that changes its title overwrites the end of the environment.
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return Self.withCStrings([marker + "1"] + variables) { variables in
        Self.retryingWhileBusy {
          child_spawn(
            &process, path, arguments, variables, toChild.reading.number, fromChild.writing.number,
            errorPipe.writing.number)
        }
      }
    }
    if error != 0 { throw SystemError(number: error) }
    self.process = process
    family = ProcessFamily(
      root: process, marker: marker, input: toChild.writing.number,
      outputs: [fromChild.reading.number, errorPipe.reading.number])
    input = toChild.writing
    output = fromChild.reading
    errors = errorPipe.reading
  }

  /// Retries for a short time while the program's file is open for writing. If another thread of the tool has
  /// just written the file, its child processes keep the file open until they execute their own programs.
  private static func retryingWhileBusy(_ start: () -> Int32) -> Int32 {
    for _ in 0..<100 {
      let error = start()
      if error != ETXTBSY { return error }
      poll(nil, 0, 5)
    }
    return ETXTBSY
  }

  /// Calls the body with a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}

/// Locates the file of a program as a shell does.
struct ProgramFile {
  let path: String

  /// - Parameters:
  ///   - name: A path if it contains a slash. Otherwise, the name to search for in the folders of `PATH`.
  ///   - command: The whole command, for error messages.
  ///   - environment: The environment with `PATH`. If it has no `PATH`, only the system's folders are
  ///     searched.
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
      // By convention, an empty entry in `PATH` means the current folder.
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

/// An open file descriptor. Its single owner closes it.
struct Descriptor: ~Copyable {
  /// The number of the descriptor, or -1 if it is closed. poll(2) ignores -1.
  private(set) var number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { _ = close(number) } }

  var isOpen: Bool { number >= 0 }

  mutating func shut() { self = Descriptor(-1) }
}

/// Both ends of a pipe. Other child processes do not inherit them.
struct PipeEnds: ~Copyable {
  var reading: Descriptor
  var writing: Descriptor

  /// - Throws: The system's error.
  init() throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    let error = withUnsafeMutableBytes(of: &ends) {
      child_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    if error != 0 { throw SystemError(number: error) }
    reading = Descriptor(ends.0)
    writing = Descriptor(ends.1)
  }
}

/// An error of the C library.
struct SystemError: Error {
  let number: Int32

  /// Returns the error for a program that was found but could not be started.
  func described(path: String, command: String) -> EngineProcessError {
    switch number {
    case ENOENT:
      EngineProcessError(
        .notFound, command: command,
        "cannot be started: the program in the first line of \(path) does not exist",
        remedy: "install that program, or correct the line")
    case ENOEXEC:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: \(path) is not a program for this machine",
        remedy: "begin a script with a line such as #!/usr/bin/env node")
    case EACCES:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: the system does not allow \(path) to run",
        remedy: "check its permissions, and those of the program in its first line")
    case ETXTBSY:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: \(path) is still being written",
        remedy: "wait until it is written")
    default:
      EngineProcessError(
        .cannotStart, command: command, "cannot be started: \(String(cString: strerror(number)))",
        remedy: "run fewer at a time, or raise the limit that the system names")
    }
  }
}
