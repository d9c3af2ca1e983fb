import Foundation
import RecordingFixtures
import Testing

/// Compares a text with a file of `Tests/Fixtures/checks`.
///
/// `MIRROR_WRITE_SNAPSHOTS=1` writes the files again. Read their difference before you commit them.
func expect(_ text: String, isFile name: String, at location: SourceLocation = #_sourceLocation) throws {
  let file = Fixtures.folder("checks").appending(path: name)
  if ProcessInfo.processInfo.environment["MIRROR_WRITE_SNAPSHOTS"] != nil {
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
  #expect(try text == String(contentsOf: file, encoding: .utf8), sourceLocation: location)
}
