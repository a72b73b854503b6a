import SimulationKernel
public import TriggerModel

/// A person of the model tap-v1: is told what is shown and when the phone is unlocked, and answers with taps and
/// dismissals as data. What is ignored gets no answer.
///
/// What the person does with a notification follows from who they are, the reminder's name and the instant at
/// which it is shown, and from nothing else: not from how many came before, nor from a place in a file. Two
/// policies therefore meet the same person with the same luck, and a copy goes on exactly as the original would.
///
/// ```swift
/// var person = SimulatedPerson(4711, seed: 1, on: .ios)
/// person.show(notification, into: &responses)      // in use: the answer may come at once
/// person.unlock(at: now, into: &responses)         // the chances to answer what came before
/// ```
public struct SimulatedPerson: Hashable, Sendable {
  /// A notification that the person can see.
  public struct Shown: Hashable, Sendable {
    public var request: RequestID
    /// ``SimulationKernel/RandomKey/nameNumber(_:)`` of the reminder's name.
    public var reminder: UInt64
    /// What counts as the same again.
    public var type: TypeID
    public var kind: TapModel.Kind
    public var at: Instant
    /// Of the local day, 0 ..< 24.
    public var hour: Double
    /// Whether the phone is unlocked at that instant.
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

  /// What the person does, and when.
  public struct Response: Hashable, Sendable, BitwiseCopyable {
    public var request: RequestID
    public var action: Action
    public var at: Instant
  }

  /// What the person means to do with a notification, once they have looked at the phone so often.
  struct Intention: Hashable, Sendable, BitwiseCopyable {
    var request: RequestID
    var action: Action
    var looksLeft: UInt32
    /// The first instant at which it is too late.
    var deadline: Instant
  }

  public let traits: PersonTraits
  public let model: TapModel
  public let platform: TapModel.Platform
  let responses: RandomKey
  let delays: RandomKey
  let start: Instant
  /// In the order in which they were shown.
  var intentions: [Intention] = []
  /// What was shown so far, each one by its age, at ``fatigueAt``.
  var fatigue = 0.0
  var fatigueAt = Instant.distantPast
  /// The latest of each type.
  var last: [LastShown] = []
  var meter: ToleranceMeter

  struct LastShown: Hashable, Sendable, BitwiseCopyable {
    var type: TypeID
    var at: Instant
  }

  /// Person `number` of a seed.
  ///
  /// - Parameters:
  ///   - device: which of the person's devices this is about; each has luck of its own.
  ///   - start: from when the instants are counted that luck depends on, so that a story that happens later is the
  ///     same story.
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
