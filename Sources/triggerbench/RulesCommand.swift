import ArgumentParser
import DeviceSimulation
import Reporting
import TextFormats

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Print the rules of the platform profiles, with their values, sources and how sure they are.",
    discussion: """
      Examples:
        triggerbench rules --profile ios
        triggerbench rules --person        the numbers of the models of people
      """)

  @Option(help: "Only this profile: ideal, ios or android.")
  var profile: String?

  @Flag(help: "Print what people do with notifications and how their days are drawn: the models' numbers.")
  var person = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if person && profile != nil { throw ValidationError("choose --profile or --person") }
  }

  func run() throws {
    if person {
      let text = PersonText()
      return Terminal.print(json ? text.document.text : text.text)
    }
    var profiles = PlatformProfile.all
    if let profile {
      do {
        profiles = [try PlatformProfile.named(profile)]
      } catch {
        throw ValidationError("\(error)")
      }
    }
    let text = RulesText(profiles)
    Terminal.print(json ? text.document.text : text.text)
  }
}
