import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that was started, and our ends of its pipes.
struct Launch: ~Copyable {
  let process: Int32
  let family: ProcessFamily
  let input: Descriptor
  let output: Descriptor
  let errors: Descriptor

  init(_ path: String, _ words: [String], _ environment: [String: String]) throws(SystemError) {
    let toChild = try PipeEnds()
    let fromChild = try PipeEnds()
    let complaints = try PipeEnds()
    for ours in [toChild.writing.number, fromChild.reading.number, complaints.reading.number] {
      let error = child_do_not_block(ours)
      if error != 0 { throw SystemError(number: error) }
    }
    let marker = ProcessFamily.marker(input: toChild.reading.number)
    var process: pid_t = 0
    let error = Self.withCStrings(words) { arguments in
      // In one order, so that a program that prints its environment prints the same each time. The marker is
      // first: a program that rewrites its title overwrites the end.
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return Self.withCStrings([marker + "1"] + variables) { variables in
        Self.patiently {
          child_spawn(
            &process, path, arguments, variables, toChild.reading.number, fromChild.writing.number,
            complaints.writing.number)
        }
      }
    }
    if error != 0 { throw SystemError(number: error) }
    self.process = process
    family = ProcessFamily(
      root: process, marker: marker, input: toChild.writing.number,
      outputs: [fromChild.reading.number, complaints.reading.number])
    input = toChild.writing
    output = fromChild.reading
    errors = complaints.reading
  }

  /// Tries again for a moment when the file of the program is still open for writing: where another thread
  /// has just written it, a child that a third one is starting has it open until it becomes another program.
  private static func patiently(_ start: () -> Int32) -> Int32 {
    for _ in 0..<100 {
      let error = start()
      if error != ETXTBSY { return error }
      poll(nil, 0, 5)
    }
    return ETXTBSY
  }

  /// Calls the body with the strings as C has them: pointers, and nil at the end.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
