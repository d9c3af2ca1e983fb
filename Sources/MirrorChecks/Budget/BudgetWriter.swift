internal import MirrorSupport

/// Writes a budget as the YAML that ``BudgetReader`` reads. `check --update` writes
/// `mirror.yml` with it.
package struct BudgetWriter {
  /// Comments of a new file.
  package static let comments = """
    # The budget of the LiveViews' diffs: what “liveview-mirror check” permits.
    #
    # Written by “liveview-mirror check --update” from a measurement, with headroom. Change the limits as you like: an update replaces
    # the limits of what it measures, keeps the others and these first comments, and drops comments between the limits.
    #
    # mount_bytes             of each mount
    # bytes, nodes            of each diff; an event with its own limit is exempt from the one at the top
    # diffs, total_bytes      of the recording
    # waste, idle_renders     the share of the bytes without effect, and of the idle re-renders
    # the others              how often a fault may occur; “any” permits every value

    """

  /// - Parameter previous: the text of the file that is replaced; its first comments are kept.
  ///   `nil` for a new file.
  package static func text(_ budget: Budget, replacing previous: String?) -> String {
    var text = previous.map(firstComments) ?? ""
    if text.isEmpty { text = comments + "\n" }
    for (rule, limit) in budget.ordered.filter({ $0.subject == .all }).map({ ($0.rule, $0.limit) }) {
      text += "\(rule.rawValue): \(LimitText.text(limit, of: rule))\n"
    }
    var group: String?
    for (subject, limits) in budget.limits.sorted(by: { $0.key < $1.key }) where subject != .all && !limits.isEmpty {
      let keys = subject.keys
      if keys.first != group { text += "\n\(keys[0]):\(keys.count > 1 ? "\n" : "")" }
      group = keys.first
      text += (keys.count > 1 ? "  \(keyText(keys[1])):" : "") + " \(flowText(limits))\n"
    }
    return text
  }

  private static func flowText(_ limits: [BudgetRule: Budget.Limit]) -> String {
    let members = BudgetRule.allCases.compactMap { rule in
      limits[rule].map { "\(rule.rawValue): \(LimitText.text($0, of: rule))" }
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// The comments and empty lines before the first key.
  private static func firstComments(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let comments = lines.prefix { line in
      let content = line.drop { $0 == " " || $0 == "\r" }
      return content.isEmpty || content.first == "#"
    }
    return comments.contains { $0.contains("#") } ? comments.map { $0 + "\n" }.joined() : ""
  }

  /// A name as a key of YAML. Names with other characters than those of identifiers are quoted, as
  /// are the words that YAML reads as other values.
  private static func keyText(_ name: String) -> String {
    let isPlain =
      name.utf8.first?.isASCIILetter == true
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_-.".utf8.contains($0) }
    let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    if isPlain, !words.contains(name.lowercased()) { return name }
    let characters = name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      // YAML (1.2, 5.1) does not permit most of the other characters, and some of them end a line.
      case " "..."~", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}", "\u{FF00}"..."\u{FFFD}",
        "\u{10000}"...:
        String(scalar)
      default:
        "\\U" + String(repeating: "0", count: 8 - String(scalar.value, radix: 16).count)
          + String(scalar.value, radix: 16)
      }
    }
    return "\"\(characters.joined())\""
  }
}
