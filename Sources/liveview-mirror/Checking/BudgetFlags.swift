internal import ArgumentParser
internal import MirrorChecks

/// The limits of the whole recording as flags, one option for each ``BudgetRule``. A flag takes
/// precedence over the budget file.
///
/// ``CheckRecordings`` has these flags. Each property must have the name of its flag in camel case,
/// because `text(ofOption:)` finds the value by that name.
struct BudgetFlags: ParsableArguments {
  @Option(.mountBytes, "The bytes of a mount, at most.") var mountBytes: String?
  @Option(.bytes, "The bytes of a diff, at most.") var bytes: String?
  @Option(.nodes, "The changed nodes of a diff, at most.") var nodes: String?
  @Option(.diffs, "The number of diffs, at most.") var diffs: String?
  @Option(.totalBytes, "The bytes of all diffs together, at most.") var totalBytes: String?
  @Option(.waste, "The share of the bytes without effect, at most.") var waste: String?
  @Option(.idleRenders, "The share of the idle re-renders, at most.") var idleRenders: String?
  @Option(.latencyP50, "The latency that half of the events keep, at most.") var latencyP50: String?
  @Option(.latencyP95, "The latency that 95 % of the events keep, at most.") var latencyP95: String?
  @Option(.latencyP99, "The latency that 99 % of the events keep, at most.") var latencyP99: String?
  @Option(.resentLists, "The lists whose entries are sent again, at most (default: 0).") var resentLists: String?
  @Option(.lostIdentities, "The elements that a diff removes and adds again, at most (default: 0).")
  var lostIdentities: String?
  @Option(.duplicateIDs, "The ids that are on several elements, at most (default: 0).") var duplicateIds: String?
  @Option(.rejected, "The rejected frames, at most (default: 0).") var rejected: String?
  @Option(.clientThrows, "The updates that stop LiveView's client with an error, at most (default: 0).")
  var clientThrows: String?
  @Option(.versionSkew, "The views whose client and server are different versions, at most (default: 0).")
  var versionSkew: String?

  /// The texts of the flags, in the order of the rules.
  private var texts: [(rule: BudgetRule, text: String)] {
    BudgetRule.allCases.compactMap { rule in text(ofOption: String(rule.flag.dropFirst(2))).map { (rule, $0) } }
  }

  /// The flags that were given.
  var given: [String] { texts.map(\.rule.flag) }

  /// The limits; `nil` permits any value.
  var limits: [BudgetRule: Double?] {
    var limits: [BudgetRule: Double?] = [:]
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

extension Option where Value == String? {
  fileprivate init(_ rule: BudgetRule, _ help: String) {
    let valueName =
      switch rule.unit {
      case .bytes: "size"
      case .count: "number"
      case .share: "share"
      case .milliseconds: "time"
      }
    self.init(
      name: .customLong(String(rule.flag.dropFirst(2))), help: ArgumentHelp("\(help)", valueName: valueName))
  }
}
