package import TriggerModel

/// What goes wrong with what our app stores.
package enum StoreFault: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Everything stored is gone.
  case lost
  /// What is written from now on reaches the disk no more: the next process finds what is stored now.
  case stale
  /// The process ends in the middle of its last write: the next one finds the first half of it.
  case torn

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// The file in which our app keeps what must survive its process: bytes, and nothing else of the process.
///
/// A reinstall does not empty it. Of what an app keeps, some outlives its installation (a keychain, an
/// account); the app is told of the reinstall, and forgets the rest.
package struct PhoneStore: Hashable, Sendable {
  private var bytes: [UInt8]?
  /// What happens to the writes of the present process, if anything.
  private var fault: StoreFault?

  package init() {}

  /// Whether what is written from now on is of consequence.
  package var takesWrites: Bool { fault != .stale }

  package mutating func write(_ bytes: [UInt8]) {
    if takesWrites { self.bytes = bytes }
  }

  package mutating func happen(_ fault: StoreFault) {
    if fault == .lost { bytes = nil } else { self.fault = fault }
  }

  /// The process that wrote has ended: what a fault spoils shows now.
  package mutating func endProcess() {
    if fault == .torn { bytes = bytes.map { Array($0.prefix($0.count / 2)) } }
    fault = nil
  }

  /// What a process finds, if the phone lets it read.
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
