import CGEOS

/// The GEOS library that answers.
public enum GEOSVersion {
  /// Such as "3.11.1-CAPI-1.17.1": part of every report, because answers at a boundary may depend on it.
  public static var text: String { String(cString: GEOSversion()) }
}
