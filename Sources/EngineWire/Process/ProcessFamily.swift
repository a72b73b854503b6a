#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process and those of its descendants that can be found.
///
/// The process group is not sufficient, because a process can leave it with `setsid`. Parents are not
/// sufficient either, because an orphan has lost its parent. On Linux, members are found in `/proc`. A
/// process is a member if one of these is true:
/// - Its parent is a member, or it is in a group or session that a member leads.
/// - Its environment contains the marker of the first process, which has a unique name.
/// - It holds the other end of the bench's pipes.
///
/// `PR_SET_CHILD_SUBREAPER` is not used. It would also adopt the orphans of all other children, and nothing
/// would reap them.
///
/// These processes cannot be found:
/// - A process that left the group, lost its parent, started without the marker and closed the pipes.
/// - A process of another user.
/// - A process that a service manager or a container starts on request.
///
/// Without `/proc`, only the group is ended. If the tool itself is killed, nothing is cleaned up. The process
/// then reaches the end of its standard input.
struct ProcessFamily: Sendable {
  let root: Int32
  private let marker: [UInt8]
  /// The pipe from which the family reads, in the notation of `/proc`.
  private let read: [UInt8]
  /// The pipes to which the family writes, in the notation of `/proc`.
  private let written: [[UInt8]]

  /// - Parameters:
  ///   - marker: The result of ``marker(input:)``.
  ///   - input: Either end of the pipe from which the family reads.
  ///   - outputs: Either end of each pipe to which the family writes.
  init(root: Int32, marker: String, input: Int32, outputs: [Int32]) {
    self.root = root
    self.marker = Array(marker.utf8)
    read = Self.pipeName(input)
    written = outputs.map { Self.pipeName($0) }
  }

  /// Returns the marker: the name of an environment variable and an equals sign. The name is unique, because
  /// open pipes have different numbers. An engine that starts engines of its own keeps its marker, because
  /// their markers have other names.
  static func marker(input: Int32) -> String { "TRIGGERBENCH_ENGINE_\(getpid())_\(fileNumber(input))=" }

  private static func fileNumber(_ descriptor: Int32) -> UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private static func pipeName(_ descriptor: Int32) -> [UInt8] {
    Array("pipe:[\(fileNumber(descriptor))]".utf8)
  }

  /// Returns the running members in ascending order.
  ///
  /// - Parameter known: The first process and the members that were found before. They may have ended.
  /// - Complexity: O(n) in the number of processes on the machine, to exclude older ones. Only the others are
  ///   examined further.
  func living(knowing known: Set<Int32>) -> [Int32] {
    var others = ProcessTable.processes(since: ProcessTable.status(of: root)?.start ?? 0)
    others.removeAll { $0.hasEnded || $0.process == getpid() }
    var members = known
    var living: [Int32] = []
    func take(where isMember: (ProcessTable.Status) -> Bool) -> Bool {
      let taken = others.filter(isMember).map(\.process)
      members.formUnion(taken)
      living += taken
      others.removeAll { taken.contains($0.process) }
      return !taken.isEmpty
    }
    func takeRelatives() {
      while take(where: {
        members.contains($0.process) || members.contains($0.parent) || members.contains($0.group)
          || members.contains($0.session)
      }) {}
    }
    takeRelatives()
    if take(where: { isMarked($0.process) || holdsPipe($0.process) }) { takeRelatives() }
    return living.sorted()
  }

  private func isMarked(_ process: Int32) -> Bool {
    let environment = ProcessTable.contents("/proc/\(process)/environ", atMost: 4 << 20)
    return environment.split(separator: 0).contains { $0.starts(with: marker) }
  }

  /// Returns whether a process holds one of the family's ends of the pipes. The tool's own ends do not count.
  /// A child that another thread is starting holds them until it executes its program, but is not a member.
  private func holdsPipe(_ process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    return ProcessTable.names(in: folder).contains { name in
      let path = "\(folder)/\(name)"
      let target = ProcessTable.target(path)
      var status = stat()
      guard target == read || written.contains(target), lstat(path, &status) == 0 else { return false }
      return status.st_mode & (target == read ? S_IRUSR : S_IWUSR) != 0
    }
  }
}

/// The processes in `/proc` that this user can see. Empty if there is no `/proc`.
enum ProcessTable {
  struct Status {
    var process: Int32
    var parent: Int32
    var group: Int32
    var session: Int32
    /// Whether the process has ended but has not been reaped yet.
    var hasEnded: Bool
    /// The start time, in ticks since the machine booted.
    var start: UInt64
  }

  /// Returns the processes that were started at or after a tick.
  static func processes(since start: UInt64) -> [Status] {
    names(in: "/proc").compactMap { Int32($0) }.compactMap { status(of: $0) }.filter { $0.start >= start }
  }

  /// Returns the status of a process, or `nil` if it does not exist.
  static func status(of process: Int32) -> Status? {
    let line = contents("/proc/\(process)/stat", atMost: 4096)
    // The program's name is in parentheses and may contain any character.
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

  /// Returns the names in a folder, or an empty list if the folder cannot be read.
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

  /// Returns the target of a symbolic link, or an empty list if the link cannot be read.
  static func target(_ path: String) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
      guard let base = room.baseAddress else { return [] }
      let count = readlink(path, base, room.count)
      return count > 0 ? room[..<count].map { UInt8(bitPattern: $0) } : []
    }
  }

  /// Returns the contents of a file of unknown size, or an empty list if the file cannot be read.
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
