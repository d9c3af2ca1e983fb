internal import MirrorSupport

/// Writes a budget as the YAML that ``BudgetReader`` reads.
package struct BudgetWriter {
  /// Comments of a new file.
  package static let comments = """
    # The budget of the LiveViews' diffs: what “liveview-mirror check” permits.
    #
    # Written by “liveview-mirror check --update” from a measurement, with headroom. Change the limits as you like: an update replaces
    # the limits of what it measures, keeps the others and these first comments, and drops comments between the limits.
    #
    # bytes, nodes            of each diff; an event with its own limit is exempt from the one at the top
    # waste, idle_renders     the share of the bytes without effect, and of the idle re-renders
    # latency_p50, p95, p99   the time from an event to its answer
    # the others              how often a fault may occur; “any” permits every value

    """

  /// - Parameter previous: the text of the file that is replaced; its first comments are kept. `nil` for a new file.
  package static func text(_ budget: Budget, replacing previous: String?) -> String {
    var text = previous.map(firstComments) ?? ""
    if text.isEmpty { text = comments + "\n" }
    for rule in Rule.allCases {
      if let limit = budget.all[rule] { text += "\(rule.rawValue): \(value(limit, of: rule))\n" }
    }
    let events = budget.causes.filter { $0.key != .serverPush && !$0.value.isEmpty }.sorted { $0.key < $1.key }
    if !events.isEmpty {
      text += "\nevents:\n"
      for (cause, limits) in events { text += "  \(key(cause.name)): \(flow(limits))\n" }
    }
    if let limits = budget.causes[.serverPush], !limits.isEmpty {
      text += "\n\(BudgetReader.Key.serverPush): \(flow(limits))\n"
    }
    return text
  }

  private static func flow(_ limits: [Rule: Budget.Limit]) -> String {
    let members = Rule.allCases.compactMap { rule in limits[rule].map { "\(rule.rawValue): \(value($0, of: rule))" } }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func value(_ limit: Budget.Limit, of rule: Rule) -> String {
    limit.value.map { LimitText.text($0, of: rule) } ?? LimitText.any
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

  /// A name as a key of YAML. Names with other characters than those of identifiers are quoted, as are the words that YAML reads as
  /// other values.
  private static func key(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") } == true
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
    let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    if isPlain, !words.contains(name.lowercased()) { return name }
    // A JSON string is a double-quoted scalar of YAML.
    var json = JSONWriter()
    json.value(name)
    return json.text
  }
}
