import RecordingFixtures

extension PageServer {
  /// The members of the diff from an old page to the current one.
  mutating func changes(
    since old: (root: PageFragment, components: [Int: PageFragment])
  ) -> [(String, JSON)] {
    var table = wire == .v10 ? nil : TemplateTable()
    var members = diff(old.root.values, root.values, &table)
    appendTemplates(of: table, to: &members)
    let changes = componentChanges(since: old.components)
    if !changes.isEmpty { members.append(("c", .object(changes))) }
    if random.one(in: 5) { members.shuffle(using: &random) }
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
      // A new component may inherit its statics from another component of this diff, or from an old
      // one.
      let fresh = sent.last { components[$0]?.template == component.template }
      let known = old.filter { $0.value.template == component.template }.keys.max()
      var members: [(String, JSON)]
      if let fresh, let source = components[fresh], random.one(in: 2) {
        note("statics of a component of this diff")
        members = full(component, against: source, &none) + [("s", .int(fresh))]
      } else if let known, let source = old[known] {
        note("statics of an old component")
        members = full(component, against: source, &none) + [("s", .int(-known))]
      } else {
        members = full(component, against: nil, &none)
      }
      members += componentMembers
      changes.append(("\(cid)", .object(members)))
      sent.append(cid)
    }
    if random.one(in: 4) { changes.shuffle(using: &random) }
    return changes
  }

  // MARK: - Values

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
        return whole(after, withStatics: false, &table)
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

  // MARK: - Lists

  private mutating func diff(_ old: PageList, _ new: PageList, _ table: inout TemplateTable?) -> JSON? {
    let isOutermost = table == nil
    var inner: TemplateTable? = table ?? TemplateTable()
    let places = Dictionary(uniqueKeysWithValues: old.entries.enumerated().map { ($1.key, $0) })
    var members: [(String, JSON)] = []
    var moves = false
    for (index, entry) in new.entries.enumerated() {
      guard let place = places[entry.key] else {
        members.append(("\(index)", .object(slots(entry.values, &inner))))
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
