import PlatformProfiles
import TextFormats
import ArgumentParser
import Reporting

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Print the rules of the platform profiles, with their values, sources and how sure they are.",
    discussion: """
      Example:
        triggerbench rules --profile ios
      """)

  @Option(help: "Only this profile: ideal, ios or android.")
  var profile: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
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
