package import TriggerModel

/// How often reminders have asked, where nobody need know of each time: counted 64 at a time, and added to what is
/// remembered of a reminder when it matches by itself.
extension Matcher {
  @inline(__always)
  mutating func countAsked(_ bits: UInt64, ofWord word: Int) {
    if asked == nil, countsEach(bits, ofWord: word) { return }
    asked?.add(bits, word)
  }

  /// Of what was edited or added the word does not say whose it is, in the way back: each is counted by itself.
  @inline(never)
  private mutating func countsEach(_ bits: UInt64, ofWord word: Int) -> Bool {
    if program.plans.count > program.firstCount {
      for bit in Bits(bits) { state.memories[program.reminder(UInt32(word), bit).index].occurrences &+= 1 }
      return true
    }
    asked = BitCounts(words: program.wordCount)
    return false
  }

  /// Of one word what was counted is remembered by reminder. The caller owns the state.
  @inline(never)
  mutating func noteAsked(ofWord word: Int) {
    let (program, state) = (program, state)
    asked?.take(word) { bit, count in
      let reminder = program.reminder(UInt32(word), bit)
      state.memories[reminder.index].occurrences &+= UInt32(truncatingIfNeeded: count)
    }
  }

  /// As ``noteAsked(ofWord:)``, of all words: before another program takes the place of this.
  package mutating func noteAsked() {
    if asked == nil { return }
    own()
    for word in 0..<program.wordCount { noteAsked(ofWord: word) }
    asked = nil
  }

  /// What is remembered of a reminder.
  package func memory(of reminder: ReminderID) -> ReminderMemory {
    var memory = state.memories[reminder.index]
    if let asked, reminder.index < program.firstCount, let place = program.place(of: reminder.rawValue) {
      memory.occurrences &+= UInt32(truncatingIfNeeded: asked.count(Int(place.word), place.bit))
    }
    return memory
  }
}
