import Foundation
import RecordingFixtures

extension Fixtures {
  /// The bytes of a recording of the repository, such as `1.2.10/01_counter`.
  static func recording(_ name: String) -> [UInt8]? {
    Recording.committed.first { $0.name == name }.flatMap { try? Array(Data(contentsOf: $0.url)) }
  }
}
