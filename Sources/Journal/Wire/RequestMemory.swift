import TriggerModel

/// The requests of a journal as they were written last, by which the writer leaves out what has not changed
/// and the reader fills it in again.
///
/// Both forget all of them whenever there are too many, at the same line: a request is then written whole.
struct RequestMemory {
  private struct Key: Hashable {
    var person: UInt64
    var device: UInt8
    var id: RequestID
  }

  /// A journal of any length takes no more than some megabytes.
  static let limit = 1 << 16

  private var requests: [Key: NotificationRequest] = [:]

  func last(_ id: RequestID, person: UInt64, device: UInt8) -> NotificationRequest? {
    requests[Key(person: person, device: device, id: id)]
  }

  mutating func remember(_ request: NotificationRequest, person: UInt64, device: UInt8) {
    let key = Key(person: person, device: device, id: request.id)
    if requests.count == Self.limit, requests[key] == nil { requests.removeAll(keepingCapacity: true) }
    requests[key] = request
  }
}
