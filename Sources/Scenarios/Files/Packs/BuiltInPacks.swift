/// The packs that come with the tool.
package enum BuiltInPacks {
  /// In the order of their names.
  package static let names = ["contacts", "context", "fitme", "plants"]

  /// The file's bytes; nil when there is no such pack.
  package static func bytes(of name: String) -> [UInt8]? {
    switch name {
    case "contacts": PackageResources.contacts_yaml
    case "context": PackageResources.context_yaml
    case "fitme": PackageResources.fitme_yaml
    case "plants": PackageResources.plants_yaml
    default: nil
    }
  }
}
