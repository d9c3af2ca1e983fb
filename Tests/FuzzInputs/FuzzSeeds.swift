package import Foundation
import RecordingFixtures
import RenderedTree

/// The initial corpus of the fuzzer: recordings, the cases of LiveView's own clients, and hostile
/// markup.
///
/// Every run of a commit has the same seeds with the same names, because `script/fuzz --quick`
/// starts only from them. Therefore they are made only from `Tests/Fixtures`, in the order of the
/// files.
package enum FuzzSeeds {
  /// Larger inputs make a fuzzer slow, and find no additional faults.
  private static let maximumLength = 16_384
  /// A recording is split into parts with this number of diffs. Each part begins with the mount.
  private static let diffs = 12

  /// Writes one file for each input.
  ///
  /// - Returns: the number of files.
  package static func write(to folder: URL) throws -> Int {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var count = 0
    for (name, lines) in recordings() + clientCases() + fragments() + regressions() {
      let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
      guard bytes.count <= maximumLength else { continue }
      try Data(bytes).write(to: folder.appending(path: "\(name)-\(count)"))
      count += 1
    }
    return count
  }

  private typealias Input = (name: String, lines: [[UInt8]])

  private static func recordings() -> [Input] {
    Recording.committed.flatMap { recording -> [Input] in
      let name = "wire-" + recording.name.replacing("/", with: "-")
      let head = recording.isNative ? [Array("native".utf8)] : []
      let decoder = WireDecoder()
      func json(_ step: Recording.Step) -> [UInt8]? {
        (try? decoder.decode(step.frame, as: .frames).first?.get()).map { Array($0.json.text.utf8) }
      }
      let steps = Dictionary(grouping: recording.steps, by: \.topic)
      return steps.sorted { $0.key < $1.key }.flatMap { _, steps -> [Input] in
        guard let mount = steps.first(where: { $0.kind == "mount" }).flatMap(json) else { return [] }
        let diffs = steps.filter { $0.kind == "diff" }.compactMap(json)
        let starts = stride(from: 0, to: max(diffs.count, 1), by: Self.diffs)
        return starts.map { (name, head + [mount] + diffs.dropFirst($0).prefix(Self.diffs)) }
      }
    }
  }

  /// Every seventh case, because cases are similar and each one runs at every start.
  private static func clientCases() -> [Input] {
    Fixtures.files(in: Fixtures.folder("client"), withExtension: "jsonl").flatMap { file -> [Input] in
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n").enumerated().filter { $0.offset % 7 == 0 }.map { $0.element }
      return lines.compactMap { line in
        guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
          let steps = json["steps"] as? [[String: Any]]
        else { return nil }
        let head = json["container"] as? String == "empty" ? [Array("empty".utf8)] : []
        let messages = steps.compactMap { step in
          step["payload"].flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }.map(
            Array.init)
        }
        return ("client", head + messages)
      }
    }
  }

  /// Every fifth fragment, as static markup and as a slot between two tags.
  private static func fragments() -> [Input] {
    let file = Fixtures.folder("html").appending(path: "fragments.jsonl")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").enumerated().filter { $0.offset % 5 == 0 }.compactMap { _, line in
      guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let markup = json["input"] as? String,
        let quoted = try? JSONSerialization.data(withJSONObject: [markup]).dropFirst().dropLast()
      else { return nil }
      let value = String(decoding: quoted, as: UTF8.self)
      return (
        "html",
        [
          #"{"0":"x","1":"","s":["<div id=a>",\#(value),"</div>"]}"#, #"{"1":\#(value)}"#, #"{"0":"y","1":"z"}"#,
        ].map { Array($0.utf8) }
      )
    }
  }

  private static func regressions() -> [Input] {
    FuzzInput.regressions.compactMap { url in
      (try? Data(contentsOf: url)).map { ("known", [Array($0)]) }
    }
  }
}
