import Foundation
import Testing

/// Returns the resident memory of this process in bytes.
///
/// - Throws: An error if the system has no process table in `/proc`.
package func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}
