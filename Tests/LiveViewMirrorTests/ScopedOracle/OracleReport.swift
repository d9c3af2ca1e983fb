import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree

extension OracleRun.Fault {
  /// The information needed to examine a fault: the complete and the reduced inputs.
  var report: String {
    let short = Shrinker(self)
    return """
      seed \(seed), step \(inputs.count - 1), \(dialect), client \(client): \(reason)

      As lines for `liveview-mirror replay`:
      \(OracleReport.lines(of: inputs))

      Reduced, with the fault: \(short.reason)
      \(OracleReport.lines(of: short.inputs))

      As a test:
      \(OracleReport.test(of: short.inputs, dialect))

      \(OracleReport.outcomes(of: short.inputs, dialect))
      """
  }
}

enum OracleReport {
  /// One JSON per line, the format of a file of frames.
  static func lines(of inputs: [String]) -> String {
    inputs.enumerated().map { index, input in
      input.isFrame ? input : "{\"\(index == 0 ? "rendered" : "diff")\":\(input)}"
    }.joined(separator: "\n")
  }

  static func test(of inputs: [String], _ dialect: Dialect) -> String {
    var lines = ["var pair = OraclePair()"]
    for (index, input) in inputs.enumerated() {
      let hashes = input.contains("\"##") ? "###" : "##"
      let literal = "\(hashes)\"\(input)\"\(hashes)"
      lines.append(
        input.isFrame
          ? "try pair.receive(\(literal))"
          : index == 0
            ? "#expect(pair.mount(\(literal), .\(dialect)) == nil)"
            : "#expect(pair.update(\(literal), isThorough: true) == nil)")
    }
    return lines.joined(separator: "\n")
  }

  /// For each pipeline: the markup before and after the last input, the path of the update and its
  /// changes.
  static func outcomes(of inputs: [String], _ dialect: Dialect) -> String {
    UpdateOptions.Pipeline.allCases.map { pipeline in
      let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
      var text = "\(pipeline):"
      do throws(UpdateError) {
        try view.mount(Array((inputs.first ?? "").utf8), dialect: dialect)
        for (index, diff) in inputs.enumerated().dropFirst() {
          if index == inputs.count - 1 { text += "\n  before   \(view.markup)" }
          if diff.isFrame {
            try view.receive(frame: diff)
            continue
          }
          let record = try view.update(diff)
          guard index == inputs.count - 1 else { continue }
          text += "\n  after    \(view.markup)"
          if let rendered = try? view.view?.rendered.render().markup {
            text += "\n  rendered \(String(decoding: rendered, as: UTF8.self))"
          }
          text += "\n  path     \(record.path)"
          for line in record.lines { text += "\n  change   \(line)" }
        }
      } catch {
        text += "\n  rejected \(error)"
      }
      return text
    }.joined(separator: "\n")
  }
}
