import TriggerModel

extension ReminderProgram {
  /// Whether more was replaced since it was last compiled than is left.
  var needsCompaction: Bool { replacedSince > 64 && replacedSince > plans.count / 2 }

  /// The same reminders without what was replaced. The reminders keep their numbers, for requests name them; so do
  /// the declarations of the beginning, which keep an empty place.
  ///
  /// - Returns: And by former declaration the number of now.
  func compacted() throws(ReminderCompileError) -> (program: ReminderProgram, numbers: [UInt32?]) {
    var numbers: [UInt32?] = []
    var kept: [Int] = []
    for number in plans.indices {
      let isKept = number < firstCount + editCount || !replaced.contains(UInt32(number))
      numbers.append(isKept ? UInt32(kept.count) : nil)
      if isKept { kept.append(number) }
    }
    // A reminder that was removed has the last of its declarations, which is empty.
    var own = ownDeclarations
    for reminder in own.indices {
      if let number = numbers[Int(own[reminder])] {
        own[reminder] = number
      } else {
        numbers[Int(own[reminder])] = UInt32(kept.count)
        kept.append(Int(own[reminder]))
        own[reminder] = UInt32(kept.count - 1)
      }
    }
    var resolver = NameResolver(names: names, weekStart: weekStart)
    var compiled: [CompiledReminder] = []
    for number in kept {
      let plan = plans[number]
      compiled.append(
        replaced.contains(UInt32(number))
          ? CompiledReminder(plan: plan, triggers: [])
          : try resolver.compile(declarations[number], as: plan.reminder))
    }
    let layout = try ProgramLayout(
      compiled, waiting: { own[compiled[$0].plan.reminder.index] == $0 && !compiled[$0].plan.isMadeLater },
      names: names)
    let program = ReminderProgram(
      layout: layout, declarations: kept.map { declarations[$0] }, ownDeclarations: own,
      firstCount: firstCount, editCount: editCount, names: names, storeNames: storeNames,
      weekStart: weekStart)
    program.replaced = Set(kept.indices.filter { replaced.contains(UInt32(kept[$0])) }.map(UInt32.init))
    return (program, numbers)
  }
}
