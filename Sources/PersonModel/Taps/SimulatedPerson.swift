import SimulationKernel
public import TriggerModel

/// A person of the model tap-v1. The person sees notifications, unlocks the phone, and responds with taps and
/// dismissals, which are returned as data. An ignored notification has no response.
///
/// A response depends only on the person, the reminder's name and the instant at which the notification is
/// shown. It depends neither on the number of earlier notifications nor on the order of a file. The same
/// person therefore has the same draws under every policy. A copy continues exactly as the original would.
///
/// ```swift
/// var person = SimulatedPerson(4711, seed: 1, on: .ios)
/// person.show(notification, into: &responses)      // in use: may respond immediately
/// person.unlock(at: now, into: &responses)         // may respond to earlier notifications
/// ```
public struct SimulatedPerson: Hashable, Sendable {
  /// A notification that the person can see.
  public struct Shown: Hashable, Sendable {
    public var request: RequestID
    /// The number of the reminder's name, computed by ``SimulationKernel/RandomKey/nameNumber(_:)``.
    public var reminder: UInt64
    /// The type of the notification. The notification is a repetition if an earlier one had the same type.
    public var type: TypeID
    public var kind: TapModel.Kind
    public var at: Instant
    /// The hour of the local day, 0 ..< 24.
    public var hour: Double
    /// Whether the phone is unlocked when the notification is shown.
    public var isInUse: Bool
    public var expiresAt: Instant

    public init(
      _ request: RequestID, reminder: UInt64, type: TypeID, kind: TapModel.Kind, at: Instant, hour: Double,
      isInUse: Bool = false, expiresAt: Instant = .distantFuture
    ) {
      self.request = request
      self.reminder = reminder
      self.type = type
      self.kind = kind
      self.at = at
      self.hour = hour
      self.isInUse = isInUse
      self.expiresAt = expiresAt
    }
  }

  public enum Action: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case tap, dismiss
  }

  /// An action of the person, with its instant.
  public struct Response: Hashable, Sendable, BitwiseCopyable {
    public var request: RequestID
    public var action: Action
    public var at: Instant
  }

  /// A response that the person will give after a certain number of looks at the phone.
  struct Intention: Hashable, Sendable, BitwiseCopyable {
    var request: RequestID
    var action: Action
    var looksLeft: UInt32
    /// The instant after which the response is too late.
    var deadline: Instant
  }

  public let traits: PersonTraits
  public let model: TapModel
  public let platform: TapModel.Platform
  let responses: RandomKey
  let delays: RandomKey
  let start: Instant
  /// The intentions, in the order in which their notifications were shown.
  var intentions: [Intention] = []
  /// The number of notifications shown so far, each weighted by its age at ``fatigueAt``.
  var fatigue = 0.0
  var fatigueAt = Instant.distantPast
  /// The latest notification of each type.
  var last: [LastShown] = []
  var meter: ToleranceMeter

  struct LastShown: Hashable, Sendable, BitwiseCopyable {
    var type: TypeID
    var at: Instant
  }

  /// Creates person `number` for a seed.
  ///
  /// - Parameters:
  ///   - device: The number of the person's device. Each device has separate draws.
  ///   - start: The instant from which the times of draws are measured. A scenario that starts later
  ///     therefore draws the same values.
  public init(
    _ number: UInt64, seed: UInt64, device: UInt32 = 0, on platform: TapModel.Platform,
    _ model: TapModel = TapModel(), traits: PersonTraits? = nil,
    since start: Instant = Instant(millisecondsSince1970: 0)
  ) {
    self.start = start
    self.model = model
    self.platform = platform
    self.traits = traits ?? PersonTraits(number, seed: seed, model, on: platform)
    responses = RandomKey(seed: seed, person: number, device: device, purpose: .response)
    delays = RandomKey(seed: seed, person: number, device: device, purpose: .responseDelay)
    meter = ToleranceMeter(self.traits)
  }
}

extension SimulatedPerson: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&intentions)
    parcel.carry(&self, \.fatigue, \.fatigueAt)
    parcel.carry(&last)
    meter.pack(in: &parcel)
  }
}

extension SimulatedPerson {
  /// The instant at which the person will turn notifications off if no more are shown, or `nil` if the
  /// notifications so far do not lead to that.
  public var optOut: Instant? { meter.end }

  /// Returns the probability that the person taps a notification.
  public func tapProbability(of shown: Shown) -> Double {
    model.probability(of: shown.kind, situation(of: shown))
  }

  /// Shows a notification. If the phone is in use, the person sees it immediately.
  ///
  /// - Precondition: Calls are in chronological order.
  public mutating func show(_ shown: Shown, into responses: inout [Response]) {
    defer { note(shown) }
    guard let action = action(on: shown) else { return }
    intentions.append(
      Intention(
        request: shown.request, action: action, looksLeft: looks(at: shown), deadline: deadline(of: shown)))
    if shown.isInUse { look(from: intentions.count - 1, at: shown.at, into: &responses) }
  }

  /// Shows a notification on a phone whose unlocks the scenario does not declare. Draws the time of the
  /// response. Returns the response, or `nil` if there is none.
  public mutating func showWithoutUnlocks(_ shown: Shown) -> Response? {
    defer { note(shown) }
    guard let action = action(on: shown) else { return nil }
    let median = Double(model.medianLatency(platform).milliseconds)
    let latency = delays.named(shown.reminder)
      .logNormal(median: median, sigma: model[.latencySigma], occurrence(shown.at))
    let at = shown.at + TimeSpan(milliseconds: Int64(min(latency, 1e15)))
    return at < deadline(of: shown) ? Response(request: shown.request, action: action, at: at) : nil
  }

  /// Shows a notification whose response is determined elsewhere, for example by the scenario. It adds to the
  /// person's fatigue like any other notification.
  public mutating func showAnsweredElsewhere(_ shown: Shown) { note(shown) }

  /// Whether the person may respond when they next look at the phone. If not, an unlock has no effect.
  public var isAboutToLook: Bool { !intentions.isEmpty }

  /// Records an unlock. The person sees every notification that has no response yet.
  public mutating func unlock(at now: Instant, into responses: inout [Response]) {
    look(from: 0, at: now, into: &responses)
  }

  /// Removes a notification that was withdrawn or replaced, or whose response is determined elsewhere.
  public mutating func forget(_ request: RequestID) {
    intentions.removeAll { $0.request == request }
  }

  // MARK: Choices

  private func occurrence(_ instant: Instant) -> UInt64 {
    UInt64(bitPattern: (instant - start).milliseconds)
  }

  /// Returns the person's action, or `nil` if the person ignores the notification. A single draw decides, so
  /// a higher probability of a tap never turns a tap into a dismissal.
  private func action(on shown: Shown) -> Action? {
    let draw = responses.named(shown.reminder).unit(occurrence(shown.at))
    let tapped = tapProbability(of: shown)
    if draw < tapped { return .tap }
    return draw < 1 - min(model[.ignoredShare], 1 - tapped) ? .dismiss : nil
  }

  /// Returns the number of looks at the phone up to the response. The number is geometrically distributed,
  /// starting at 1.
  private func looks(at shown: Shown) -> UInt32 {
    let share = model.chanceTaken(platform)
    if share >= 1 { return 1 }
    if share <= 0 { return .max }
    let draw = delays.named(shown.reminder).unit(occurrence(shown.at))
    let misses = DeterministicMath.log(1 - draw) / DeterministicMath.log(1 - share)
    return 1 + UInt32(min(misses, 1e9))
  }

  private func deadline(of shown: Shown) -> Instant {
    min(shown.expiresAt, shown.at + model.tapWindow)
  }

  private func situation(of shown: Shown) -> TapModel.Situation {
    var situation = TapModel.Situation()
    situation.eagerness = traits.eagerness
    situation.hour = shown.hour
    situation.fatigue = fatigue(at: shown.at)
    situation.sinceSameType = last.first { $0.type == shown.type }.map { shown.at - $0.at }
    situation.isInUse = shown.isInUse
    return situation
  }

  private func fatigue(at instant: Instant) -> Double {
    fatigue == 0 ? 0 : fatigue * TapModel.decay(instant - fatigueAt, halfLife: model.fatigueHalfLife)
  }

  // MARK: Memory

  private mutating func note(_ shown: Shown) {
    fatigue = fatigue(at: shown.at) + 1
    fatigueAt = shown.at
    meter.show(at: shown.at)
    if let index = last.firstIndex(where: { $0.type == shown.type }) {
      last[index].at = shown.at
    } else {
      last.append(LastShown(type: shown.type, at: shown.at))
    }
  }

  private mutating func look(from first: Int, at now: Instant, into responses: inout [Response]) {
    var kept = first
    for index in first..<intentions.count {
      var intention = intentions[index]
      if now >= intention.deadline { continue }
      intention.looksLeft -= 1
      if intention.looksLeft == 0 {
        // The person sees the notification in time, and responds while it is visible.
        responses.append(
          Response(request: intention.request, action: intention.action, at: now + model.reaction))
      } else {
        intentions[kept] = intention
        kept += 1
      }
    }
    intentions.removeLast(intentions.count - kept)
  }
}
