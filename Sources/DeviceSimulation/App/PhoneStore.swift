package import TriggerModel

/// A fault in the app's stored state.
package enum StoreFault: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Everything stored is lost.
  case lost
  /// Later writes do not reach the disk: the next process reads the present state.
  case stale
  /// The process ends during its last write: the next process reads the first half of it.
  case torn

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// The file, as bytes, in which the app keeps the state that must survive its process.
///
/// A reinstall does not empty it because some state outlives an installation (a keychain, an account). The
/// app observes the reinstall and discards the rest.
package struct PhoneStore: Hashable, Sendable {
  private var bytes: [UInt8]?
  /// The fault that affects the writes of the present process.
  private var fault: StoreFault?

  /// Whether later writes reach the disk.
  package var takesWrites: Bool { fault != .stale }

  package mutating func write(_ bytes: [UInt8]) {
    if takesWrites { self.bytes = bytes }
  }

  package mutating func inject(_ fault: StoreFault) {
    if fault == .lost { bytes = nil } else { self.fault = fault }
  }

  /// Ends the process that wrote: the effect of a fault becomes visible now.
  package mutating func endProcess() {
    if fault == .torn { bytes = bytes.map { Array($0.prefix($0.count / 2)) } }
    fault = nil
  }

  /// What a process reads, if the phone lets it.
  package var contents: StoreContents {
    guard let bytes, !bytes.isEmpty else { return .empty }
    return .bytes(bytes)
  }
}

extension PhoneStore: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&bytes)
    parcel.carry(&fault)
  }
}
