package import TriggerModel

/// A fault in the app's stored state.
package enum StoreFault: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// All stored data is lost.
  case lost
  /// Later writes of the current process do not reach the disk. The next process reads the state of now.
  case stale
  /// The process ends during its last write. The next process reads only the first half of the bytes.
  case torn

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// The file in which the app stores the state that must survive its process.
///
/// A reinstall does not empty the file, because some state outlives an installation, for example in the
/// keychain or in an account. After the app observes the reinstall, it must discard all other state.
package struct PhoneStore: Hashable, Sendable {
  private var bytes: [UInt8]?
  /// The fault that affects the writes of the current process.
  private var fault: StoreFault?

  /// Whether later writes reach the disk.
  package var takesWrites: Bool { fault != .stale }

  package init() {}

  package mutating func write(_ bytes: [UInt8]) {
    if takesWrites { self.bytes = bytes }
  }

  package mutating func inject(_ fault: StoreFault) {
    if fault == .lost { bytes = nil } else { self.fault = fault }
  }

  /// Ends the writing process and applies the effect of its fault.
  package mutating func endProcess() {
    if fault == .torn { bytes = bytes.map { Array($0.prefix($0.count / 2)) } }
    fault = nil
  }

  /// The contents that a process reads, provided that the store is available.
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
