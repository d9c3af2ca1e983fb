import RecordingFixtures

/// A LiveView with random templates and random state, which it sends as a LiveView server does: in the wire of 1.0
/// (`d`), of 1.1 (`k`, templates at the root) or of 1.2 (`km`).
struct RandomServer {
  enum Wire: CaseIterable, Sendable { case v10, v11, v12 }

  struct Template {
    var statics: [String] = [""]
    var slots: [Kind] = []
  }

  enum Kind {
    case text, attribute
    /// An attribute that never changes and names the entry: `data-e`, or `id` too.
    case marker(isID: Bool)
    /// Nothing, or a fragment of one of these templates.
    case child([Int])
    case list(Int)
    /// Nothing, or a component.
    case component
  }

  enum Value: Equatable {
    case text(String)
    case component(Int)
    indirect case fragment(Fragment)
    indirect case list(List)
  }

  struct Fragment: Equatable {
    var template: Int
    var slots: [Value]
  }

  struct List: Equatable {
    var template: Int
    var entries: [Entry]
    /// A list that never had entries is sent as an empty string.
    var wasSent: Bool
  }

  struct Entry: Equatable {
    var key: Int
    var slots: [Value]
  }

  let wire: Wire
  var random: SplitMix
  private(set) var templates: [Template] = []
  private var componentTemplates: [Int] = []
  private(set) var root = Fragment(template: 0, slots: [])
  private(set) var components: [Int: Fragment] = [:]
  private var nextKey = 0
  private var nextCID = 1

  init(wire: Wire, seed: UInt64) {
    self.wire = wire
    random = SplitMix(state: seed)
    for _ in 0..<2 { componentTemplates.append(makeTemplate(depth: 2, holdsComponents: false)) }
    componentTemplates.append(makeTemplate(depth: 2, holdsComponents: true))
    let top = makeTemplate(depth: 0, holdsComponents: true)
    root = Fragment(template: top, slots: make(templates[top], depth: 0))
  }

  // MARK: - Templates

  private mutating func makeTemplate(depth: Int, holdsComponents: Bool, isEntry: Bool = false) -> Int {
    var template = Template()
    func write(_ text: String) { template.statics[template.statics.count - 1] += text }
    func slot(_ kind: Kind) {
      template.slots.append(kind)
      template.statics.append("")
    }
    let roots = isEntry && random.one(in: 5) ? 2 : 1
    for part in 0..<roots {
      let tag = ["div", "section", "span", "article"][random.below(4)]
      write("<\(tag)")
      if isEntry, part == 0 { slot(.marker(isID: random.one(in: 4))) }
      if random.one(in: 2) { slot(.attribute) }
      write(">")
      for _ in 0...random.below(3) {
        switch random.below(depth < 2 ? 8 : depth < 3 ? 5 : 3) {
        case 0: write("static ")
        case 1, 2: slot(.text)
        case 3: slot(.child([makeTemplate(depth: depth + 1, holdsComponents: holdsComponents)]))
        case 4:
          let choice = (0..<2).map { _ in makeTemplate(depth: depth + 1, holdsComponents: false) }
          slot(.child(choice))
        case 5, 6: slot(.list(makeTemplate(depth: depth + 1, holdsComponents: holdsComponents, isEntry: true)))
        default:
          write("<i>")
          slot(holdsComponents ? .component : .text)
          write("</i>")
        }
      }
      write("</\(tag)>")
    }
    if random.one(in: 6) { slot(.text) }
    templates.append(template)
    return templates.count - 1
  }

  // MARK: - State

  private mutating func make(_ template: Template, depth: Int) -> [Value] {
    template.slots.map { make($0, depth: depth) }
  }

  private mutating func make(_ kind: Kind, depth: Int) -> Value {
    switch kind {
    case .text: return .text(text())
    case .attribute: return .text(random.one(in: 2) ? "" : " class=\"c\(random.below(3))\"")
    case .marker(let isID):
      nextKey += 1
      return .text(" data-e=\"\(nextKey)\"\(isID ? " id=\"e\(nextKey)\"" : "")")
    case .child(let choice):
      if random.one(in: 3) { return .text("") }
      let template = choice[random.below(choice.count)]
      return .fragment(Fragment(template: template, slots: make(templates[template], depth: depth + 1)))
    case .list(let template):
      let entries = (0..<random.below(depth < 1 ? 7 : 4)).map { _ in makeEntry(template, depth: depth + 1) }
      return .list(List(template: template, entries: entries, wasSent: !entries.isEmpty))
    case .component:
      if depth > 5 || random.one(in: 3) { return .text("") }
      let cid = nextCID
      nextCID += 1
      let template = componentTemplates[random.below(componentTemplates.count)]
      components[cid] = Fragment(template: template, slots: make(templates[template], depth: depth + 2))
      return .component(cid)
    }
  }

  private mutating func makeEntry(_ template: Int, depth: Int) -> Entry {
    nextKey += 1
    return Entry(key: nextKey, slots: make(templates[template], depth: depth))
  }

  /// Some of them are equal for Unicode and differ in their bytes, some need escapes in JSON.
  private mutating func text() -> String {
    let texts = [
      "", "a", "b", "\u{E9}", "e\u{301}", "&amp;", " \n", "x\\y", "\u{1F600}", "&lt;i&gt;", "<!--c-->", "<br>",
    ]
    return texts[random.below(texts.count)] + (random.one(in: 2) ? "" : String(random.below(10)))
  }

  private mutating func mutate(_ slots: inout [Value], _ template: Int) {
    for (index, kind) in templates[template].slots.enumerated() { mutate(&slots[index], kind) }
  }

  private mutating func mutate(_ value: inout Value, _ kind: Kind) {
    switch (kind, value) {
    case (.marker, _): return
    case (.text, _), (.attribute, _): if random.one(in: 8) { value = make(kind, depth: 1) }
    case (.child, .fragment(var fragment)):
      if random.one(in: 8) {
        value = make(kind, depth: 2)
      } else {
        mutate(&fragment.slots, fragment.template)
        value = .fragment(fragment)
      }
    case (.component, .component(let cid)):
      if random.one(in: 10) {
        value = make(kind, depth: 2)
      } else if var component = components[cid] {
        mutate(&component.slots, component.template)
        components[cid] = component
      }
    case (.list, .list(var list)):
      if random.one(in: 3) { shuffle(&list) }
      for index in list.entries.indices where random.one(in: 3) { mutate(&list.entries[index].slots, list.template) }
      list.wasSent = list.wasSent || !list.entries.isEmpty
      value = .list(list)
    default: if random.one(in: 6) { value = make(kind, depth: 2) }
    }
  }

  private mutating func shuffle(_ list: inout List) {
    for _ in 0...random.below(3) {
      let count = list.entries.count
      switch random.below(7) {
      case 0, 1: list.entries.insert(makeEntry(list.template, depth: 2), at: random.below(count + 1))
      case 2 where count > 0: list.entries.remove(at: random.below(count))
      case 3 where count > 1: list.entries.insert(list.entries.remove(at: random.below(count)), at: random.below(count))
      case 4 where count > 1: list.entries.swapAt(random.below(count), random.below(count))
      case 5 where random.one(in: 3): list.entries.reverse()
      case 6 where random.one(in: 6): list.entries = []
      default: break
      }
    }
  }

  // MARK: - Markup

  var markup: String { markup(root) }

  private func markup(_ fragment: Fragment) -> String { markup(fragment.template, fragment.slots) }

  private func markup(_ template: Int, _ slots: [Value]) -> String {
    var text = ""
    for (index, part) in templates[template].statics.enumerated() {
      text += part
      guard index < slots.count else { continue }
      switch slots[index] {
      case .text(let value): text += value
      case .component(let cid): text += components[cid].map(markup) ?? ""
      case .fragment(let fragment): text += markup(fragment)
      case .list(let list): text += list.entries.map { markup(list.template, $0.slots) }.joined()
      }
    }
    return text
  }

  // MARK: - The wire

  mutating func mount() -> String {
    var table = wire == .v10 ? nil : Table()
    var members = full(root, against: nil, &table)
    appendTemplates(of: table, to: &members)
    if !components.isEmpty { members.append(("c", wholeComponents())) }
    return JSON.object(members).text
  }

  /// Changes the state, and says how: the diff, and the components that are gone after it.
  mutating func step() -> (diff: String, destroyed: [Int], isWhole: Bool) {
    let old = (root: root, components: components)
    var slots = root.slots
    mutate(&slots, root.template)
    root.slots = slots
    let reachable = reachableComponents()
    let destroyed = components.keys.filter { !reachable.contains($0) }.sorted()
    for cid in destroyed { components[cid] = nil }
    if random.one(in: 60) { return (mount(), destroyed, true) }

    var table = wire == .v10 ? nil : Table()
    var members = diff(old.root.slots, root.slots, &table)
    appendTemplates(of: table, to: &members)
    let changes = componentChanges(since: old.components)
    if !changes.isEmpty { members.append(("c", .object(changes))) }
    if random.one(in: 5) { members.shuffle(using: &random) }
    return (JSON.object(members).text, destroyed, false)
  }

  private func reachableComponents() -> Set<Int> {
    var reached: Set<Int> = []
    var pending = root.slots
    while let value = pending.popLast() {
      switch value {
      case .text: break
      case .component(let cid): if reached.insert(cid).inserted { pending += components[cid]?.slots ?? [] }
      case .fragment(let fragment): pending += fragment.slots
      case .list(let list): for entry in list.entries { pending += entry.slots }
      }
    }
    return reached
  }

  private mutating func wholeComponents() -> JSON {
    var none: Table?
    var members: [(String, JSON)] = []
    for (cid, component) in components.sorted(by: { $0.key < $1.key }) {
      members.append(("\(cid)", .object(full(component, against: nil, &none))))
    }
    return .object(members)
  }

  private mutating func componentChanges(since old: [Int: Fragment]) -> [(String, JSON)] {
    var none: Table?
    var changes: [(String, JSON)] = []
    var sent: [Int] = []
    for (cid, component) in components.sorted(by: { $0.key < $1.key }) {
      if let before = old[cid] {
        let members = diff(before.slots, component.slots, &none)
        if !members.isEmpty { changes.append(("\(cid)", .object(members))) }
        continue
      }
      // A new component may take its statics from one of this diff (in its new state) or from an old one.
      let fresh = sent.last { components[$0]?.template == component.template }
      let known = old.filter { $0.value.template == component.template }.keys.max()
      if let fresh, let source = components[fresh], random.one(in: 2) {
        var members = full(component, against: source, &none)
        members.append(("s", .int(fresh)))
        changes.append(("\(cid)", .object(members)))
      } else if let known, let source = old[known] {
        var members = full(component, against: source, &none)
        members.append(("s", .int(-known)))
        changes.append(("\(cid)", .object(members)))
      } else {
        changes.append(("\(cid)", .object(full(component, against: nil, &none))))
      }
      sent.append(cid)
    }
    if random.one(in: 4) { changes.shuffle(using: &random) }
    return changes
  }

  /// The statics that one part of an update names by number.
  struct Table {
    var statics: [[String]] = []
    mutating func number(of statics: [String]) -> Int {
      if let known = self.statics.firstIndex(of: statics) { return known }
      self.statics.append(statics)
      return self.statics.count - 1
    }
  }

  private func appendTemplates(of table: Table?, to members: inout [(String, JSON)]) {
    guard let table, !table.statics.isEmpty else { return }
    members.append(
      ("p", .object(table.statics.enumerated().map { ("\($0)", .array($1.map { .string($0) })) })))
  }

  private func statics(_ template: Int, _ table: inout Table?) -> (String, JSON) {
    let statics = templates[template].statics
    if let number = table?.number(of: statics) { return ("s", .int(number)) }
    return ("s", .array(statics.map { .string($0) }))
  }

  /// Everything. Without statics where `source` has the same: then they are inherited.
  private mutating func full(_ fragment: Fragment, against source: Fragment?, _ table: inout Table?) -> [(String, JSON)]
  {
    var members = fragment.slots.enumerated().map { index, value in
      ("\(index)", full(value, against: source?.slots[index], &table))
    }
    if source == nil { members.append(statics(fragment.template, &table)) }
    return members
  }

  private mutating func full(_ value: Value, against source: Value?, _ table: inout Table?) -> JSON {
    switch value {
    case .text(let text): return .string(text)
    case .component(let cid): return .int(cid)
    case .fragment(let fragment):
      var same: Fragment?
      if case .fragment(let known) = source, known.template == fragment.template { same = known }
      return .object(full(fragment, against: same, &table))
    case .list(let list):
      if !list.wasSent { return .string("") }
      var inherits = false
      if case .list(let known) = source { inherits = known.wasSent }
      return whole(list, withStatics: !inherits, &table)
    }
  }

  private mutating func whole(_ list: List, withStatics: Bool, _ table: inout Table?) -> JSON {
    let isOutermost = table == nil
    var inner = table ?? Table()
    var optional: Table? = inner
    let entries = list.entries.map { entry in
      entry.slots.enumerated().map { index, value in ("\(index)", full(value, against: nil, &optional)) }
    }
    inner = optional ?? inner
    var members: [(String, JSON)] = [keyed(entries)]
    if withStatics {
      if isOutermost, wire == .v10 || random.one(in: 2) {
        var none: Table?
        members.append(statics(list.template, &none))
      } else {
        optional = inner
        members.append(statics(list.template, &optional))
        inner = optional ?? inner
      }
    }
    if isOutermost { appendTemplates(of: inner, to: &members) } else { table = inner }
    return .object(members)
  }

  private func keyed(_ entries: [[(String, JSON)]]) -> (String, JSON) {
    if wire == .v10 { return ("d", .array(entries.map { .array($0.map(\.1)) })) }
    return (
      "k", .object(entries.enumerated().map { ("\($0)", .object($1)) } + [("kc", .int(entries.count))])
    )
  }

  // MARK: - Diffs

  private mutating func diff(_ old: [Value], _ new: [Value], _ table: inout Table?) -> [(String, JSON)] {
    var members: [(String, JSON)] = []
    for index in new.indices {
      if let change = diff(old[index], new[index], &table) { members.append(("\(index)", change)) }
    }
    return members
  }

  private mutating func diff(_ old: Value, _ new: Value, _ table: inout Table?) -> JSON? {
    switch (old, new) {
    case (.fragment(let before), .fragment(let after)) where before.template == after.template:
      let members = diff(before.slots, after.slots, &table)
      return members.isEmpty ? nil : .object(members)
    case (.list(let before), .list(let after)) where before.wasSent:
      if wire == .v10 {
        return before.entries == after.entries && !random.one(in: 40) ? nil : whole(after, withStatics: false, &table)
      }
      return diff(before, after, &table)
    case (.text(let before), .text(let after)):
      // Unchanged values are often sent again.
      return Array(before.utf8) == Array(after.utf8) && !random.one(in: 60) ? nil : .string(after)
    default:
      if case .list(let list) = new, !list.wasSent { return nil }
      if case .component = new, old == new { return nil }
      return full(new, against: nil, &table)
    }
  }

  private mutating func diff(_ old: List, _ new: List, _ table: inout Table?) -> JSON? {
    let isOutermost = table == nil
    var inner: Table? = table ?? Table()
    let places = Dictionary(uniqueKeysWithValues: old.entries.enumerated().map { ($1.key, $0) })
    var members: [(String, JSON)] = []
    var moves = false
    for (index, entry) in new.entries.enumerated() {
      guard let place = places[entry.key] else {
        let slots = entry.slots.enumerated().map { ("\($0)", full($1, against: nil, &inner)) }
        members.append(("\(index)", .object(slots)))
        continue
      }
      let change = diff(old.entries[place].slots, entry.slots, &inner)
      switch (place == index, change.isEmpty) {
      case (true, true): break
      case (true, false): members.append(("\(index)", .object(change)))
      case (false, true): members.append(("\(index)", .int(place)))
      case (false, false): members.append(("\(index)", .array([.int(place), .object(change)])))
      }
      moves = moves || place != index
    }
    if members.isEmpty, old.entries.count == new.entries.count { return nil }
    if random.one(in: 5) { members.shuffle(using: &random) }
    members.append(("kc", .int(new.entries.count)))
    if moves, wire == .v12 { members.append(("km", .bool(true))) }
    var list: [(String, JSON)] = [("k", .object(members))]
    if isOutermost { appendTemplates(of: inner, to: &list) } else { table = inner }
    return .object(list)
  }
}

/// JSON to be written.
indirect enum JSON: Sendable {
  case string(String)
  case int(Int)
  case bool(Bool)
  case null
  case array([JSON])
  case object([(String, JSON)])

  var text: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members): "{\(members.map { "\"\($0)\":\($1.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\0": quoted += "\\u0000"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
