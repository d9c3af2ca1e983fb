import RecordingFixtures

/// The messages of one step.
struct PageStep: Sendable {
  var diff: String
  /// Components that are destroyed after the step, in a separate frame.
  var destroyed: [Int] = []
  /// Whether the diff is damaged. If it is applied, the server's state no longer describes the
  /// page.
  var isSpoiled = false
}

extension RandomPage: PageServer {
  var componentMembers: [(String, JSON)] { [("r", .int(1))] }

  func statics(of template: Int) -> [String] { templates[template].statics }

  func isRoot(_ template: Int) -> Bool { templates[template].isRoot }

  mutating func mount() -> String {
    let members = whole()
    root.values.settle()
    settleComponents()
    return JSON.object(members).text
  }

  /// Changes the state.
  ///
  /// - Returns: the messages that describe the change.
  mutating func step() -> PageStep {
    let old = (root: root, components: components)
    change()
    let destroyed = dropComponents()

    var members: [(String, JSON)]
    if random.one(in: 250) {
      note("whole page as a diff")
      members = whole()
    } else {
      members = changes(since: old)
    }
    if random.one(in: 40) { members.append(("t", .string("Title \(random.below(9))"))) }
    if random.one(in: 40) { members.append(("e", .array([.array([.string("event"), .object([])])]))) }
    root.values.settle()
    settleComponents()
    var json = JSON.object(members)
    let isSpoiled = random.below(1_000) < profile.spoiled
    if isSpoiled {
      note("spoiled diff")
      json = spoiled(json)
    }
    return PageStep(diff: json.text, destroyed: destroyed, isSpoiled: isSpoiled)
  }

  private mutating func settleComponents() {
    for cid in components.keys { components[cid]?.values.settle() }
  }
}
