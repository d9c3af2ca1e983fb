import Foundation
import RecordingFixtures

/// Recorded messages of LiveView servers, split into request bodies, and mutations of them.
struct BodyCorpus: Sendable {
  private var mounts: [[UInt8]] = []
  private var diffs: [[UInt8]] = []
  private var frames: [[UInt8]] = []

  init() throws {
    for recording in Recording.all {
      for step in recording.steps {
        frames.append(step.frame)
        switch step.kind {
        case "mount": mounts.append(step.frame)
        case "diff": diffs.append(step.frame)
        default: break
        }
      }
    }
    // Large pages make a fuzzer slow and find no additional faults.
    mounts.removeAll { $0.count > 20_000 }
    diffs.removeAll { $0.count > 20_000 }
    frames.removeAll { $0.count > 20_000 }
    guard !mounts.isEmpty, !diffs.isEmpty else { throw LoadFailure("there are no recordings in Tests/Fixtures/wire") }
  }

  private static let subscriptions = [
    #"{"node":2,"children":true,"label":"x"}"#, #"{"node":2}"#, #"{"node":-1,"label":"\u0000"}"#,
    #"{"node":99999999999999999999}"#, #"[{"node":2}]"#,
  ].map { Array($0.utf8) }

  private static let pieces = [
    "null", "true", "-1", "1e999", "99999999999999999999", "0.5", "\"\"", "{}", "[]", "\"\\u0000\"", "\"\\ud800\"",
    "\"s\":[]", "\"k\":{}",
    "\"kc\":5", "\"c\":{\"1\":{\"s\":1}}", "\"stream\":[\"0\",[],[]]", "\"p\":{}", "\"s\":-1", "\"r\":1",
    "{\"0\":{\"0\":{\"0\":{}}}}", "<script>",
    "<!--", "</p>", "<svg>", "<table>", "\\\"", "]", "}", ",", ":",
  ].map { Array($0.utf8) }

  /// - Parameter fresh: whether to return a recorded mount, so that later diffs have a page.
  func post(to view: String, fresh: Bool, _ random: inout SplitMix) -> (target: String, body: [UInt8]) {
    if fresh { return ("/views/\(view)/rendered", random.of(mounts)) }
    switch random.below(10) {
    case 0, 1: return ("/views/\(view)/rendered", mutated(random.of(mounts), &random))
    case 2: return ("/views/\(view)/rendered?dialect=native", mutated(random.of(mounts), &random))
    case 3:
      var lines: [UInt8] = []
      for _ in 0..<random.below(4) + 1 { lines += mutated(random.of(frames), &random) + [10] }
      return ("/frames", lines)
    case 4: return ("/views/\(view)/subscriptions", mutated(random.of(Self.subscriptions), &random))
    default: return ("/views/\(view)/diffs", mutated(random.of(diffs), &random))
    }
  }

  private func mutated(_ body: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = body
    for _ in 0..<random.below(5) {
      guard !bytes.isEmpty else { break }
      let place = random.below(bytes.count)
      switch random.below(8) {
      case 0: bytes[place] ^= 1 << random.below(8)
      case 1: bytes.insert(contentsOf: random.of(Self.pieces), at: place)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(30)))
      case 3: replaceNumber(in: &bytes, from: place, &random)
      case 4, 5: replaceValue(in: &bytes, from: place, &random)
      case 6:
        let other = random.of(frames)
        let from = random.below(other.count)
        bytes.replaceSubrange(place..<place, with: other[from..<min(other.count, from + random.below(80))])
      default:
        let end = min(bytes.count, place + random.below(100))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.below(bytes.count))
      }
    }
    return bytes
  }

  /// Replaces the next number. Slots, counts and components are numbers.
  private func replaceNumber(in bytes: inout [UInt8], from place: Int, _ random: inout SplitMix) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
    let number = random.of([
      "0", "1", "2", "7", "-1", "100000", "4294967296", "9223372036854775807", "18446744073709551616",
    ])
    bytes.replaceSubrange(start..<end, with: number.utf8)
  }

  /// Replaces the value after the next colon. The result is usually still JSON.
  private func replaceValue(in bytes: inout [UInt8], from place: Int, _ random: inout SplitMix) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count else { return }
    let ends: [UInt8] = Array(",}]".utf8)
    let end = bytes[(colon + 1)...].firstIndex { ends.contains($0) } ?? bytes.count
    bytes.replaceSubrange(colon + 1..<end, with: random.of(Self.pieces))
  }
}
