import Geofencing
import TriggerModel

/// The oracle of regions (`oracle geofence`). Each input line contains a region and either a fix or a
/// segment. The output line describes their relation.
public struct GeofenceOracle {
  private static let question = ["region", "fix", "from", "to"]
  /// The keys of expected answers. They are ignored, so that the shared vectors can be used unchanged.
  private static let answers = ["inside", "distance", "hit", "enter", "exit", "length"]

  /// Creates the oracle. Each line describes its own region.
  public init() {}

  /// Returns the answer to one line.
  ///
  /// For a fix, `{"region":{"latitude":…,"longitude":…,"radius":…},"fix":{"latitude":…,"longitude":…}}`, the
  /// answer is `{"inside":…,"distance":…}`. The distance is the geodesic distance from the centre in metres.
  ///
  /// With `from` and `to` instead of `fix`, the answer is `{"hit":…,"enter":…,"exit":…}`. `enter` and `exit`
  /// bound the part of the geodesic inside the region, as fractions of its length. They are null if no part
  /// is inside.
  public mutating func answer(_ line: String) throws(OracleLineError) -> String {
    let fields = try JSONFields(
      JSONInput(line: line, "question"), "question", keys: Self.question + Self.answers)
    let table = try fields.regionTable()
    let monitor = RegionMonitor(table)
    let region = RegionID(0)
    switch (fields.has("fix"), fields.has("from") || fields.has("to")) {
    case (true, false):
      let place = try fields.coordinate("fix")
      let inside = monitor.membership(of: place).contains(region)
      return "{\"inside\":\(inside),\"distance\":\(table.distance(from: place, to: region))}"
    case (false, true):
      let (start, end) = (try fields.coordinate("from"), try fields.coordinate("to"))
      guard let visit = monitor.visit(to: region, from: start, to: end) else {
        return "{\"hit\":false,\"enter\":null,\"exit\":null}"
      }
      return "{\"hit\":true,\"enter\":\(visit.enter),\"exit\":\(visit.exit)}"
    default:
      throw OracleLineError("question: write either \"fix\", or \"from\" and \"to\"")
    }
  }
}

extension JSONFields {
  fileprivate func regionTable() throws(OracleLineError) -> RegionTable {
    let fields = try JSONFields(try value("region"), "region", keys: ["latitude", "longitude", "radius"])
    let center = Coordinate(
      latitude: try fields.number("latitude"), longitude: try fields.number("longitude"))
    let radius = try fields.number("radius")
    do { return try RegionTable([CircularRegion(id: RegionID(0), center: center, radius: radius)]) } catch {
      throw OracleLineError("region: \(error)")
    }
  }

  fileprivate func coordinate(_ key: String) throws(OracleLineError) -> Coordinate {
    let fields = try JSONFields(try value(key), key, keys: ["latitude", "longitude"])
    let (latitude, longitude) = (try fields.number("latitude"), try fields.number("longitude"))
    guard abs(latitude) <= 90 else {
      throw OracleLineError("\(key): \(RegionProblem.latitudeOutOfRange(latitude))")
    }
    guard abs(longitude) <= 180 else {
      throw OracleLineError("\(key): \(RegionProblem.longitudeOutOfRange(longitude))")
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func number(_ key: String) throws(OracleLineError) -> Double {
    guard case .number(let number) = try value(key) else { throw wrong(key, "a number") }
    return number
  }
}
