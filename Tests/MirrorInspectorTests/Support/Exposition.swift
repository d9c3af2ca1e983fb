/// A strict parser of Prometheus' text format.
struct Exposition {
  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  let text: String
  private(set) var samples: [Sample] = []

  subscript(name: String, labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  /// - Throws: ``Malformed`` for the first line that is malformed, repeats a sample, has a sample
  ///   of another family than the line before it, or begins a family again.
  init(_ text: String) throws {
    self.text = text
    guard text.hasSuffix("\n") else { throw Malformed(description: "no line end at the end") }
    var families: Set<Substring> = []
    var (help, family, kind): (Substring?, Substring, Substring) = (nil, "", "")
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+/) {
        help = match.1
      } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
        guard match.1 == help, families.insert(match.1).inserted else { throw Malformed(description: String(line)) }
        (family, kind) = (match.1, match.2)
      } else if let match = line.wholeMatch(
        of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\[\\n"])*",?)*)\})? (\S+)/)
      {
        let endings = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard endings.contains(where: { match.1 == family + $0 }), let value = Double(match.3),
          kind != "counter" || family.hasSuffix("_total")
        else { throw Malformed(description: String(line)) }
        var labels: [String: String] = [:]
        for label in (match.2 ?? "").matches(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"/) {
          guard labels.updateValue(Self.unescaped(label.2), forKey: String(label.1)) == nil else {
            throw Malformed(description: String(line))
          }
        }
        let name = String(match.1)
        guard !samples.contains(where: { $0.name == name && $0.labels == labels }) else {
          throw Malformed(description: "twice: \(line)")
        }
        samples.append(Sample(name: name, labels: labels, value: value))
      } else {
        throw Malformed(description: String(line))
      }
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text.replacing(/\\(.)/) { match in match.1 == "n" ? "\n" : String(match.1) })
  }
}
