import RecordingFixtures

/// What the server sends of one step.
struct PageStep: Sendable {
  var diff: String
  /// Components that are gone after it; the server hears of it and confirms.
  var destroyed: [Int] = []
  /// The diff was spoiled: it says nothing that the server's state would know.
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

  /// Changes the state, and says how.
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
