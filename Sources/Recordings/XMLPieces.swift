import Foundation

/// The part of a stream that is looked at now, and a zero behind it.
struct XMLPieces: ~Copyable {
  let base: UnsafeMutablePointer<UInt8>
  /// How many bytes are there.
  private(set) var end = 0
  /// The stream could not be read to its end.
  private(set) var isBroken = false

  private let stream: InputStream
  private let capacity: Int

  /// - Parameter capacity: Bytes that are held at most.
  init(_ stream: InputStream, capacity: Int) {
    self.stream = stream
    self.capacity = capacity
    base = .allocate(capacity: capacity + 1)
    base[0] = 0
    stream.open()
  }

  deinit {
    stream.close()
    base.deallocate()
  }

  /// Drops what stands before a place, moves the rest to the beginning, and reads on behind it; false if nothing came,
  /// because the stream ends or the rest takes all the room.
  mutating func advance(from place: Int) -> Bool {
    let rest = end - place
    base.update(from: base + place, count: rest)
    end = rest
    while end < capacity {
      let count = stream.read(base + end, maxLength: capacity - end)
      if count <= 0 {
        isBroken = count < 0
        break
      }
      end += count
    }
    base[end] = 0
    return end > rest
  }
}
