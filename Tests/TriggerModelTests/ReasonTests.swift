import Testing
import TriggerModel

@Suite struct ReasonTests {
  @Test func namesReadBackTheSame() {
    for reason in Reason.allCases { #expect(Reason(name: reason.name) == reason) }
    #expect(Reason(name: "quiethours") == nil)
    #expect(Set(Reason.allCases.map(\.name)).count == Reason.allCases.count)
  }

  @Test func stagesComeInTheOrderOfTheList() {
    let stages = Reason.allCases.map(\.stage.rawValue)
    #expect(stages == stages.sorted())
    #expect(Set(stages).count == Reason.Stage.allCases.count)
  }

  @Test func aSetHoldsWhatWasPutIn() {
    for reason in Reason.allCases {
      var set: ReasonSet = []
      set.insert(reason)
      #expect(set == ReasonSet(reason))
      #expect(Reason.allCases.filter { set.contains($0) } == [reason])
      set.remove(reason)
      #expect(set.isEmpty)
    }
  }

  @Test func checksComeInTheDesignsOrder() {
    let scheduler = Reason.allCases.filter { $0.stage == .scheduler }.map(\.name)
    #expect(
      scheduler == [
        "notRegistered", "userDisabled", "userDailyCap", "permission", "lifetimeCap", "lapseCap",
        "quietHours",
        "typeDailyCap", "typeWeeklyCap", "dailyCap", "criticalDailyCap", "minimumInterval",
      ])
  }
}
