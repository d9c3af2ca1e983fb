internal import ArgumentParser
internal import MirrorChecks

/// The limits of the whole recording as flags. A flag takes precedence over the budget file.
struct BudgetFlags: ParsableArguments {
  @Option(help: ArgumentHelp("The bytes of a mount, at most.", valueName: "size"))
  var mountBytes: String?

  @Option(help: ArgumentHelp("The bytes of a diff, at most.", valueName: "size"))
  var bytes: String?

  @Option(help: ArgumentHelp("The changed nodes of a diff, at most.", valueName: "number"))
  var nodes: String?

  @Option(help: ArgumentHelp("The number of diffs, at most.", valueName: "number"))
  var diffs: String?

  @Option(help: ArgumentHelp("The bytes of all diffs together, at most.", valueName: "size"))
  var totalBytes: String?

  @Option(help: ArgumentHelp("The share of the bytes without effect, at most.", valueName: "share"))
  var waste: String?

  @Option(help: ArgumentHelp("The share of the idle re-renders, at most.", valueName: "share"))
  var idleRenders: String?

  @Option(
    name: .customLong("latency-p50"),
    help: ArgumentHelp("The latency that half of the events keep, at most.", valueName: "time"))
  var latencyP50: String?

  @Option(
    name: .customLong("latency-p95"),
    help: ArgumentHelp("The latency that 95 % of the events keep, at most.", valueName: "time"))
  var latencyP95: String?

  @Option(
    name: .customLong("latency-p99"),
    help: ArgumentHelp("The latency that 99 % of the events keep, at most.", valueName: "time"))
  var latencyP99: String?

  @Option(
    help: ArgumentHelp("The lists whose entries are sent again, at most (default: 0).", valueName: "number"))
  var resentLists: String?

  @Option(
    help: ArgumentHelp("The elements that a diff removes and adds again, at most (default: 0).", valueName: "number"))
  var lostIdentities: String?

  @Option(help: ArgumentHelp("The ids that are on several elements, at most (default: 0).", valueName: "number"))
  var duplicateIds: String?

  @Option(help: ArgumentHelp("The rejected frames, at most (default: 0).", valueName: "number"))
  var rejected: String?

  @Option(
    help: ArgumentHelp(
      "The updates that stop LiveView's client with an error, at most (default: 0).", valueName: "number"))
  var clientThrows: String?

  @Option(
    help: ArgumentHelp(
      "The views whose client and server are different versions, at most (default: 0).", valueName: "number"))
  var versionSkew: String?

  /// The texts of the flags, in the order of the rules.
  private var texts: [(rule: Rule, text: String)] {
    Rule.allCases.compactMap { rule in text(of: rule).map { (rule, $0) } }
  }

  private func text(of rule: Rule) -> String? {
    switch rule {
    case .mountBytes: mountBytes
    case .bytes: bytes
    case .nodes: nodes
    case .diffs: diffs
    case .totalBytes: totalBytes
    case .waste: waste
    case .idleRenders: idleRenders
    case .latencyP50: latencyP50
    case .latencyP95: latencyP95
    case .latencyP99: latencyP99
    case .resentLists: resentLists
    case .lostIdentities: lostIdentities
    case .duplicateIDs: duplicateIds
    case .rejected: rejected
    case .clientThrows: clientThrows
    case .versionSkew: versionSkew
    }
  }

  /// The flags that were given.
  var given: [String] { texts.map(\.rule.flag) }

  /// The limits; `nil` permits any value.
  var limits: [Rule: Double?] {
    var limits: [Rule: Double?] = [:]
    for (rule, text) in texts { limits.updateValue(LimitText.value(text, of: rule), forKey: rule) }
    return limits
  }

  func validate() throws {
    let problems = texts.filter { $0.text != LimitText.any && LimitText.value($0.text, of: $0.rule) == nil }.map {
      "\($0.rule.flag): \u{201C}\($0.text)\u{201D} \($0.rule.expectation)"
    }
    if !problems.isEmpty { throw ValidationError(problems.joined(separator: "\n")) }
  }
}
