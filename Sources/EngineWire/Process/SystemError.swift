#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An error of the C library.
struct SystemError: Error {
  let number: Int32

  /// Why a program that was found could not be started.
  func described(path: String, command: String) -> EngineProcessError {
    switch number {
    case ENOENT:
      EngineProcessError(
        .notFound, command: command,
        "cannot be started: the program that the first line of \(path) names is not there",
        remedy: "install that program, or correct the line")
    case ENOEXEC:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: \(path) is no program for this machine",
        remedy: "begin a script with a line such as #!/usr/bin/env node")
    case EACCES:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: the system does not allow \(path) to run",
        remedy: "look at its rights, and at those of the program that its first line names")
    case ETXTBSY:
      EngineProcessError(
        .notExecutable, command: command, "cannot be started: somebody is still writing \(path)",
        remedy: "wait until it is written")
    default:
      EngineProcessError(
        .cannotStart, command: command, "cannot be started: \(String(cString: strerror(number)))",
        remedy: "run fewer at a time, or raise the limit that the system names")
    }
  }
}
