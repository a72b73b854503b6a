#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process and all that it has started, as far as they can be found.
///
/// The process group is not enough: whoever calls `setsid` leaves it, and whoever is orphaned has no parent
/// any more by which it could be known. On Linux the members are looked for in `/proc`. One of these makes a
/// process a member:
/// - its parent, group or session is that of a member;
/// - its environment has the variable that the first process got, whose name no other process has;
/// - it reads from or writes to the other end of our pipes.
///
/// (`PR_SET_CHILD_SUBREAPER` would hand us the orphans, but all of them, those of every other child of the tool
/// too, which then nobody takes from the system's table.)
///
/// What cannot be found: a process that has left the group *and* lost its parent *and* started without that
/// variable *and* closed the pipes; one under another user; one that somebody else starts on request (a
/// service manager, a container). Where there is no `/proc`, only the group is ended. When the tool itself is
/// killed outright, nobody is left to clean up; the process then sees its standard input end.
struct ProcessFamily: Sendable {
  let root: Int32
  private let marker: [UInt8]
  /// As `/proc` shows the pipe that the family reads from.
  private let read: [UInt8]
  /// And those that it writes to.
  private let written: [[UInt8]]

  /// - Parameters:
  ///   - marker: Made by ``marker(input:)``.
  ///   - input: An end of the pipe that the family reads from.
  ///   - outputs: Ends of those that it writes to.
  init(root: Int32, marker: String, input: Int32, outputs: [Int32]) {
    self.root = root
    self.marker = Array(marker.utf8)
    read = Self.pipeName(input)
    written = outputs.map { Self.pipeName($0) }
  }

  /// A variable for the environment, up to its equals sign. Pipes that are open at the same time have
  /// different numbers, so there is no such name twice; and as it is the name that differs, an engine that has
  /// engines of its own keeps it.
  static func marker(input: Int32) -> String { "TRIGGERBENCH_ENGINE_\(getpid())_\(fileNumber(input))=" }

  private static func fileNumber(_ descriptor: Int32) -> UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private static func pipeName(_ descriptor: Int32) -> [UInt8] {
    Array("pipe:[\(fileNumber(descriptor))]".utf8)
  }

  /// The members that have not ended, in ascending order.
  ///
  /// - Parameter known: The first process, and members that were found before. They may have ended.
  /// - Complexity: O(processes on the machine) to tell which are too old to be members; the others are looked
  ///   at closely
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

  /// Only the ends of the family count. Another thread of the tool may be starting a child, which has all of
  /// our descriptors until it becomes another program; it has no business in this family.
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
