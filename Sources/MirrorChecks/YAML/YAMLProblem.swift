internal import MirrorSupport

/// One thing that is wrong in a YAML file. ``BudgetReader`` and ``ScenarioReader`` collect them,
/// and throw them together as ``YAMLProblems``.
package struct YAMLProblem: Sendable, Hashable {
  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars.
  package var column: Int
  /// What is wrong, and what is expected.
  package var text: String

  package init(line: Int, column: Int, text: String) { (self.line, self.column, self.text) = (line, column, text) }

  init(_ mark: YAMLMark, _ text: String) { self.init(line: mark.line, column: mark.column, text: text) }

  /// The problem of an unknown key. Its text proposes the most similar of `names`, or lists all of
  /// them if none is similar.
  init(unknown key: YAMLNode, among names: [String]) {
    let similar = key.name.replacing("-", with: "_").mostSimilar(among: names)
    let hint = similar.map { "did you mean “\($0)”?" } ?? "it must be one of \(names.joined(separator: ", "))"
    self.init(key.mark, "“\(key.name.beginning(60))” is not a key: \(hint)")
  }
}

/// Everything that is wrong in a YAML file, in the order of the lines.
package struct YAMLProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the file.
  package let name: String
  package let problems: [YAMLProblem]

  init(name: String, problems: [YAMLProblem]) {
    self.name = name
    self.problems = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// `mirror.yml:3:5: …` for each problem.
  package var lines: [String] { problems.map { "\(name):\($0.line):\($0.column): \($0.text)" } }

  package var description: String { lines.joined(separator: "\n") }
}
