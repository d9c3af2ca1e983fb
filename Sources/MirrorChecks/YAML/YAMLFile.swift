internal import Yams

/// Parses YAML files. Only this file and the readers of nodes import Yams.
enum YAMLFile {
  /// A budget or a scenario of a megabyte is a mistake.
  static let longest = 1 << 20
  /// libyaml and Yams read nested values recursively.
  static let deepest = 64

  /// The whole file is searched for each key that it has twice, so only this many are reported.
  private static let listedKeys = 20

  /// The root of the only document of a file.
  ///
  /// - Parameter expectation: what the file must contain, for messages.
  static func root(
    of bytes: [UInt8], name: String, expecting expectation: String
  ) throws(YAMLProblems) -> Node {
    func failure(_ text: String, at mark: Mark? = nil) -> YAMLProblems {
      YAMLProblems(name: name, problems: [YAMLProblem(mark, text)])
    }
    guard bytes.count <= longest else { throw failure("the file is longer than 1 MiB: it must contain \(expectation)") }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw failure("the file is not a text in UTF-8: it must contain \(expectation)")
    }
    guard nesting(of: text) <= deepest else { throw failure("brackets are nested more than \(deepest) deep") }
    do {
      // `basic` leaves scalars as they are written: the readers know which kind of value each must be.
      guard let root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot(), !root.isEmpty else {
        throw failure("the file is empty: it must contain \(expectation)")
      }
      return root
    } catch let problems as YAMLProblems { throw problems } catch let error as YamlError {
      throw YAMLProblems(name: name, problems: problems(of: error, in: text))
    } catch { throw failure("the file is not YAML: \(error)") }
  }

  private static func problems(of error: YamlError, in text: String) -> [YAMLProblem] {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let advice = text.contains("\t") ? "; indent with spaces, not with tabs" : ""
      return [YAMLProblem(mark, "the file is not YAML: \(problem)\(advice)")]
    case .duplicatedKeysInMapping(let keys, let context):
      let problems = keys.prefix(listedKeys).map { key in
        let place = RepeatedKey(key, in: text, from: context.mark.line).place
        let first = place.map { "; it is already in line \($0.first)" } ?? ""
        return YAMLProblem(
          line: place?.line ?? context.mark.line, column: place?.column ?? context.mark.column,
          text: "“\(key)” is a key twice\(first): remove one of both")
      }
      let more = keys.count - problems.count
      return problems + (more > 0 ? [YAMLProblem(context.mark, "\(more) other keys are there twice")] : [])
    case .reader(let problem, let offset, _, _):
      let before = text.prefix(offset ?? 0)
      let line = before.count(where: \.isNewline) + 1
      return [YAMLProblem(line: line, column: 1, text: "the file is not YAML: \(problem)")]
    default: return [YAMLProblem(line: 1, column: 1, text: "the file is not YAML: \(error)")]
    }
  }

  /// The deepest nesting of brackets, and of list items on one line, without regard to quotes: an upper bound.
  private static func nesting(of text: String) -> Int {
    var (depth, deepest, dashes) = (0, 0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "-"), UInt8(ascii: "?"): dashes += 1
      case UInt8(ascii: "\n"): dashes = 0
      default: break
      }
      deepest = max(deepest, depth, byte == UInt8(ascii: " ") && dashes > self.deepest ? dashes : 0)
    }
    return deepest
  }
}

extension Node {
  /// Whether the file has no value: nothing but comments.
  fileprivate var isEmpty: Bool {
    scalar.map { $0.string.isEmpty && $0.style != .doubleQuoted && $0.style != .singleQuoted } ?? false
  }
}

/// The second place of a key that a mapping has twice. Yams names the key and the line of the first one.
private struct RepeatedKey {
  private(set) var place: (line: Int, column: Int, first: Int)?

  init(_ key: String, in text: String, from firstLine: Int) {
    var found: [(line: Int, column: Int)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where index + 1 >= firstLine && found.count < 2 {
      for range in line.ranges(of: key) {
        let before = line[..<range.lowerBound].last
        let after = line[range.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
        guard after.first == ":", before.map({ " {,\"'\t-".contains($0) }) ?? true else { continue }
        found.append((index + 1, line.distance(from: line.startIndex, to: range.lowerBound) + 1))
      }
    }
    guard found.count > 1 else { return }
    place = (found[1].line, found[1].column, found[0].line)
  }
}
