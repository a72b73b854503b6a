#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system's table of processes in `/proc`, as far as this user may see it; empty where there is none.
enum ProcessTable {
  struct Status {
    var process: Int32
    var parent: Int32
    var group: Int32
    var session: Int32
    /// It only waits to be reaped.
    var hasEnded: Bool
    /// When it was started, in ticks since the machine was.
    var start: UInt64
  }

  /// All processes that were started at this tick or later.
  static func processes(since start: UInt64) -> [Status] {
    names(in: "/proc").compactMap { Int32($0) }.compactMap { status(of: $0) }.filter { $0.start >= start }
  }

  /// nil where there is no such process.
  static func status(of process: Int32) -> Status? {
    let line = contents("/proc/\(process)/stat", atMost: 4096)
    // The name of the program, in brackets, can hold anything.
    guard let bracket = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[(bracket + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, let state = fields[0].first,
      let parent = Int32(text(fields[1])), let group = Int32(text(fields[2])),
      let session = Int32(text(fields[3])), let start = UInt64(text(fields[19]))
    else { return nil }
    return Status(
      process: process, parent: parent, group: group, session: session,
      hasEnded: state == UInt8(ascii: "Z") || state == UInt8(ascii: "X"), start: start)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The names in a folder, in the system's order; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: name))
    }
    return names
  }

  /// What a symbolic link says; nothing where it cannot be read.
  static func target(_ path: String) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
      guard let base = room.baseAddress else { return [] }
      let count = readlink(path, base, room.count)
      return count > 0 ? room[..<count].map { UInt8(bitPattern: $0) } : []
    }
  }

  /// The bytes of a file that has no size; none where it cannot be read.
  static func contents(_ path: String, atMost limit: Int) -> [UInt8] {
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
    guard file.isOpen else { return [] }
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      while bytes.count < limit {
        let count = read(file.number, room.baseAddress, room.count)
        if count <= 0 { return }
        bytes.append(contentsOf: room[..<count])
      }
    }
    return bytes
  }
}
