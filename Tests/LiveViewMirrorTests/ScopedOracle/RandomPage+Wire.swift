import RecordingFixtures

/// The statics that one part of an update names by number.
struct TemplateTable: Sendable {
  var numbers: [Int: Int] = [:]
  var order: [Int] = []

  mutating func number(of template: Int) -> Int {
    if let known = numbers[template] { return known }
    numbers[template] = order.count
    order.append(template)
    return order.count - 1
  }
}

/// What the server sends of one step.
struct PageStep: Sendable {
  var diff: String
  /// Components that are gone after it; the server hears of it and confirms.
  var destroyed: [Int] = []
  /// The diff was spoiled: it says nothing that the server's state would know.
  var isSpoiled = false
}

extension RandomPage {
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
    let reachable = components(reachedFrom: root.values)
    let destroyed = components.keys.filter { !reachable.contains($0) }.sorted()
    for cid in destroyed { components[cid] = nil }

    var members: [(String, JSON)]
    if random.one(in: 250) {
      note("whole page as a diff")
      members = whole()
    } else {
      var table = wire == .v10 ? nil : TemplateTable()
      members = diff(old.root.values, root.values, &table)
      appendTemplates(of: table, to: &members)
      let changes = componentChanges(since: old.components)
      if !changes.isEmpty { members.append(("c", .object(changes))) }
      if random.one(in: 5) { members.shuffle(using: &random) }
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

  private mutating func whole() -> [(String, JSON)] {
    var table = wire == .v10 ? nil : TemplateTable()
    var members = full(root, against: nil, &table)
    appendTemplates(of: table, to: &members)
    var none: TemplateTable?
    if !components.isEmpty {
      let whole = components.sorted { $0.key < $1.key }.map { cid, component in
        ("\(cid)", JSON.object(full(component, against: nil, &none) + [("r", .int(1))]))
      }
      members.append(("c", .object(whole)))
    }
    return members
  }

  private mutating func componentChanges(since old: [Int: PageFragment]) -> [(String, JSON)] {
    var none: TemplateTable?
    var changes: [(String, JSON)] = []
    var sent: [Int] = []
    for (cid, component) in components.sorted(by: { $0.key < $1.key }) {
      if let before = old[cid], before.template == component.template {
        let members = diff(before.values, component.values, &none)
        if !members.isEmpty { changes.append(("\(cid)", .object(members))) }
        continue
      }
      // A new component may take its statics from one of this diff (in its new state) or from an old one.
      let fresh = sent.last { components[$0]?.template == component.template }
      let known = old.filter { $0.value.template == component.template }.keys.max()
      var members: [(String, JSON)]
      if let fresh, let source = components[fresh], random.one(in: 2) {
        note("statics of a component of this diff")
        members = full(component, against: source, &none) + [("s", .int(fresh))]
      } else if let known, let source = old[known] {
        note("statics of a component before")
        members = full(component, against: source, &none) + [("s", .int(-known))]
      } else {
        members = full(component, against: nil, &none)
      }
      members.append(("r", .int(1)))
      changes.append(("\(cid)", .object(members)))
      sent.append(cid)
    }
    if random.one(in: 4) { changes.shuffle(using: &random) }
    return changes
  }

  // MARK: - Whole values

  private func appendTemplates(of table: TemplateTable?, to members: inout [(String, JSON)]) {
    guard let table, !table.order.isEmpty else { return }
    let statics = table.order.enumerated().map { ("\($0)", JSON.array(templates[$1].statics.map { .string($0) })) }
    members.append(("p", .object(statics)))
  }

  private func statics(_ template: Int, _ table: inout TemplateTable?) -> (String, JSON) {
    if let number = table?.number(of: template) { return ("s", .int(number)) }
    return ("s", .array(templates[template].statics.map { .string($0) }))
  }

  /// Everything. Without statics where `source` has the same: then they are inherited.
  private mutating func full(
    _ fragment: PageFragment, against source: PageFragment?, _ table: inout TemplateTable?
  ) -> [(String, JSON)] {
    var members: [(String, JSON)] = []
    for (index, value) in fragment.values.enumerated() {
      members.append(("\(index)", full(value, against: source?.values[index], &table)))
    }
    if source == nil { members.append(statics(fragment.template, &table)) }
    return members
  }

  private mutating func full(_ value: PageValue, against source: PageValue?, _ table: inout TemplateTable?) -> JSON {
    switch value {
    case .text(let text): return .string(text)
    case .component(let cid): return .int(cid)
    case .fragment(let fragment):
      var same: PageFragment?
      if case .fragment(let known) = source, known.template == fragment.template { same = known }
      return .object(full(fragment, against: same, &table))
    case .list(let list):
      if !list.wasSent { return .string("") }
      var inherits = false
      if case .list(let known) = source { inherits = known.wasSent }
      return whole(list.entries.map(\.values), of: list.template, withStatics: !inherits, [], &table)
    case .stream(let stream): return whole(stream, withStatics: true, &table)
    }
  }

  private mutating func whole(_ stream: PageStream, withStatics: Bool, _ table: inout TemplateTable?) -> JSON {
    let inserts = stream.inserts.map { item -> JSON in
      let fields: [JSON] = [.string(item.id), .int(item.at), item.limit.map { .int($0) } ?? .null]
      return .array(wire == .v10 ? fields : fields + [item.updateOnly ? .bool(true) : .null])
    }
    var fields: [JSON] = [.string(stream.ref), .array(inserts), .array(stream.deletes.map { .string($0) })]
    if stream.isReset { fields.append(.bool(true)) }
    return whole(
      stream.inserts.map(\.values), of: stream.template, withStatics: withStatics, [("stream", .array(fields))], &table)
  }

  private mutating func whole(
    _ rows: [[PageValue]], of template: Int, withStatics: Bool, _ more: [(String, JSON)],
    _ table: inout TemplateTable?
  ) -> JSON {
    let isOutermost = table == nil
    var inner = table ?? TemplateTable()
    var optional: TemplateTable? = inner
    var entries: [[(String, JSON)]] = []
    for row in rows {
      var entry: [(String, JSON)] = []
      for (index, value) in row.enumerated() { entry.append(("\(index)", full(value, against: nil, &optional))) }
      entries.append(entry)
    }
    inner = optional ?? inner
    var members: [(String, JSON)] = [keyed(entries)] + more
    if withStatics {
      if isOutermost, wire == .v10 || random.one(in: 2) {
        var none: TemplateTable?
        members.append(statics(template, &none))
      } else {
        optional = inner
        members.append(statics(template, &optional))
        inner = optional ?? inner
      }
    }
    if isOutermost { appendTemplates(of: inner, to: &members) } else { table = inner }
    return .object(members)
  }

  private func keyed(_ entries: [[(String, JSON)]]) -> (String, JSON) {
    if wire == .v10 { return ("d", .array(entries.map { .array($0.map(\.1)) })) }
    return ("k", .object(entries.enumerated().map { ("\($0)", .object($1)) } + [("kc", .int(entries.count))]))
  }

  // MARK: - Diffs

  private mutating func diff(
    _ old: [PageValue], _ new: [PageValue], _ table: inout TemplateTable?
  ) -> [(String, JSON)] {
    var members: [(String, JSON)] = []
    for index in new.indices {
      if let change = diff(old[index], new[index], &table) { members.append(("\(index)", change)) }
    }
    return members
  }

  private mutating func diff(_ old: PageValue, _ new: PageValue, _ table: inout TemplateTable?) -> JSON? {
    switch (old, new) {
    case (.fragment(let before), .fragment(let after)) where before.template == after.template:
      let members = diff(before.values, after.values, &table)
      return members.isEmpty ? nil : .object(members)
    case (.list(let before), .list(let after)) where before.wasSent:
      if wire == .v10 {
        if before.isSame(as: after), !random.one(in: 40) { return nil }
        return whole(after.entries.map(\.values), of: after.template, withStatics: false, [], &table)
      }
      return diff(before, after, &table)
    case (.stream(let before), .stream(let after)) where before.ref == after.ref:
      if after.isIdle, !random.one(in: 60) { return nil }
      return whole(after, withStatics: false, &table)
    case (.text(let before), .text(let after)):
      // Unchanged values are often sent again.
      return before.utf8.elementsEqual(after.utf8) && !random.one(in: 60) ? nil : .string(after)
    case (.component(let before), .component(let after)): return before == after ? nil : .int(after)
    default:
      if case .list(let list) = new, !list.wasSent { return nil }
      return full(new, against: nil, &table)
    }
  }

  private mutating func diff(_ old: PageList, _ new: PageList, _ table: inout TemplateTable?) -> JSON? {
    let isOutermost = table == nil
    var inner: TemplateTable? = table ?? TemplateTable()
    let places = Dictionary(uniqueKeysWithValues: old.entries.enumerated().map { ($1.key, $0) })
    var members: [(String, JSON)] = []
    var moves = false
    for (index, entry) in new.entries.enumerated() {
      guard let place = places[entry.key] else {
        var slots: [(String, JSON)] = []
        for (slot, value) in entry.values.enumerated() { slots.append(("\(slot)", full(value, against: nil, &inner))) }
        members.append(("\(index)", .object(slots)))
        continue
      }
      let change = diff(old.entries[place].values, entry.values, &inner)
      switch (place == index, change.isEmpty) {
      case (true, true): break
      case (true, false): members.append(("\(index)", .object(change)))
      case (false, true): members.append(("\(index)", .int(place)))
      case (false, false):
        note("entry moved and changed on the wire")
        members.append(("\(index)", .array([.int(place), .object(change)])))
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

extension PageList {
  fileprivate func isSame(as other: PageList) -> Bool {
    entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { $0.key == $1.key && $0.values.areSame(as: $1.values) }
  }
}

extension [PageValue] {
  fileprivate func areSame(as other: [PageValue]) -> Bool {
    zip(self, other).allSatisfy { a, b in
      switch (a, b) {
      case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
      case (.component(let a), .component(let b)): a == b
      case (.fragment(let a), .fragment(let b)): a.template == b.template && a.values.areSame(as: b.values)
      case (.list(let a), .list(let b)): a.wasSent == b.wasSent && a.isSame(as: b)
      case (.stream(let a), .stream(let b)): a.ref == b.ref && b.isIdle
      default: false
      }
    }
  }
}
