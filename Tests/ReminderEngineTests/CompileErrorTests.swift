import CivilTime
import ReminderMatching
import Testing
import TriggerModel

@Suite struct CompileErrorTests {
  private func error(
    _ reminders: [ReminderDeclaration], edits: [ReminderDeclaration] = [],
    names: EngineNames = EngineHarness.names
  ) -> ReminderCompileError? {
    do throws(ReminderCompileError) {
      _ = try ReminderProgram(compiling: reminders, edits: edits, names: names)
      return nil
    } catch {
      return error
    }
  }

  @Test func `reminders with the same id are rejected`() {
    let error = error([ReminderDeclaration("a", .unlock), ReminderDeclaration("a", .opened)])
    #expect(error?.code == .duplicateID)
    #expect(error?.description == "reminder 'a' is declared twice")
  }

  @Test func `a reminder without triggers is rejected`() {
    #expect(error([ReminderDeclaration("a")])?.code == .noTrigger)
  }

  @Test func `unknown names are rejected`() {
    let triggers: [Trigger] = [.appOpened("x"), .regionEntered("x"), .regionExited("x"), .factChanged("x")]
    for trigger in triggers {
      let error = error([ReminderDeclaration("a", trigger)])
      #expect(error?.code == .unknownName, "\(trigger)")
      #expect(error?.subject == "x")
    }
    let one = [FactValue.number(thousandths: 1)]
    let conditions: [Condition] = [
      .inside("x"), .outside("x"), .fact(FactCondition(.value("x"), .less, one)),
      .fact(FactCondition(.ratio("score", "x"), .less, one)), .fact(FactCondition(.age("x"), .less, one)),
      .fact(FactCondition(.days(since: "x"), .less, one)),
    ]
    for condition in conditions {
      let error = error([ReminderDeclaration("a", .unlock, if: [condition])])
      #expect(error?.description == "reminder 'a' names 'x', which is not declared", "\(condition)")
    }
  }

  @Test func `an edit of an unknown reminder is rejected`() {
    let error = error([ReminderDeclaration("a", .unlock)], edits: [ReminderDeclaration("b", .unlock)])
    #expect(error?.code == .unknownName)
    #expect(error?.reminder == "b")
  }

  @Test func `constants that do not match their comparison are rejected`() {
    let two = [FactValue.number(thousandths: 1), .number(thousandths: 2)]
    for comparison in FactCondition.Comparison.allCases {
      let none = FactCondition(.value("score"), comparison, [])
      #expect(error([ReminderDeclaration("a", .unlock, if: [.fact(none)])])?.code == .invalidFactCondition)
      let several = error(
        [ReminderDeclaration("a", .unlock, if: [.fact(FactCondition(.value("score"), comparison, two))])])
      let takesSeveral = comparison == .equal || comparison == .notEqual
      #expect((several == nil) == takesSeveral, "\(comparison)")
    }
  }

  @Test func `a reminder with several schedules is rejected`() {
    func schedule(_ minute: Int) -> Trigger {
      .scheduled(
        Schedule(
          Recurrence(
            start: CivilDate(year: 2026, month: 1, day: 1), minute: minute, frequency: .daily, interval: 1)))
    }
    #expect(error([ReminderDeclaration("a", schedule(1), schedule(2))])?.code == .severalSchedules)
    #expect(error([ReminderDeclaration("a", schedule(1), schedule(1))]) == nil, "the same one twice is one")
  }

  @Test func `a program may have no reminders`() throws {
    var phone = try EngineHarness([], at: "2026-03-02 07:00")
    for kind in ObservedEvent.Kind.allCases { #expect(phone.tell(kind).isEmpty, "\(kind)") }
  }
}
