import RecordingFixtures

/// The state of one step that changes values all over the page.
struct ChangePlan: Sendable {
  /// On average, one in this many slots changes.
  var rate = 10
  /// Ids to replace, with their new values.
  var ids: [String: String] = [:]
  /// Components to replace where they are shown, with the components shown instead.
  var cids: [Int: Int] = [:]
  /// Components that the step has visited.
  var visited: Set<Int> = []
}

extension RandomPage {
  /// Changes the state.
  mutating func change() {
    plan = ChangePlan(rate: pick([4, 12, 12, 30, 30]))
    if random.one(in: profile.hostility > 0 ? 6 : 12) { planIDs() }
    if random.one(in: profile.components > 30 ? 6 : 15) { planComponents() }
    freeIDs = []
    // Some steps change nothing on the page.
    if profile.handovers == 0 || !random.one(in: 3) {
      var values = root.values
      change(&values, of: root.template, depth: 0)
      root.values = values
    }
    if profile.handovers > 0 { changeHiddenComponents() }
  }

  private mutating func planIDs() {
    let ids = ids()
    guard ids.count > 1 else { return }
    let (a, b) = (pick(ids), pick(ids))
    note("id moves")
    plan.ids[a] = b
    // The element with the id `b` gets the id `a` or a new one. In profiles with duplicate ids it
    // sometimes keeps `b`.
    if !random.one(in: 5) || profile.duplicateIDs == 0 { plan.ids[b] = random.one(in: 2) ? a : uniqueID() }
  }

  private mutating func planComponents() {
    let all = components.keys.sorted()
    guard all.count > 1 else { return }
    let (a, b) = (pick(all), pick(all))
    note("components change places")
    plan.cids[a] = b
    if !isHostile() { plan.cids[b] = a }
  }

  private func ids() -> [String] {
    var ids: Set<String> = []
    func visit(_ values: [PageValue], _ template: Int) {
      for (value, hole) in zip(values, templates[template].holes) {
        switch (value, hole) {
        case (.text(let text), .text(.id)): ids.insert(text)
        case (.text(let text), .text(.idAttribute)): if let id = text.idInAttribute { ids.insert(id) }
        case (.fragment(let fragment), _): visit(fragment.values, fragment.template)
        case (.list(let list), _): for entry in list.entries { visit(entry.values, list.template) }
        default: continue
        }
      }
    }
    visit(root.values, root.template)
    for component in components.values { visit(component.values, component.template) }
    return ids.sorted()
  }

  // MARK: - Values

  private mutating func change(_ values: inout [PageValue], of template: Int, depth: Int) {
    for (index, hole) in templates[template].holes.enumerated() { change(&values[index], hole, depth: depth) }
  }

  private mutating func change(_ value: inout PageValue, _ hole: PageHole, depth: Int) {
    let isChanged = random.one(in: plan.rate)
    switch (hole, value) {
    case (.text(let kind), .text(let text)): change(&value, kind, from: text, isChanged: isChanged)
    case (.block, .fragment(var fragment)):
      if isChanged {
        release(value, of: hole)
        value = make(hole, depth: depth + 1)
        note("block replaced")
      } else {
        change(&fragment.values, of: fragment.template, depth: depth + 1)
        value = .fragment(fragment)
      }
    case (.component, .component(let cid)): change(component: cid, in: &value, hole, depth, isChanged)
    case (.list, .list(var list)):
      if random.one(in: max(2, plan.rate / 3)) { change(&list, depth: depth) }
      for index in list.entries.indices { change(&list.entries[index].values, of: list.template, depth: depth + 1) }
      list.wasSent = list.wasSent || !list.entries.isEmpty
      value = .list(list)
    case (.stream, .stream(var stream)):
      if random.one(in: max(2, plan.rate / 3)) { change(&stream) }
      change(componentsIn: stream, depth)
      value = .stream(stream)
    default:
      if random.one(in: max(3, plan.rate / 3)) {
        release(value, of: hole)
        value = make(hole, depth: depth + 1)
        note("hole filled")
      }
    }
  }

  private mutating func change(_ value: inout PageValue, _ kind: PageText, from text: String, isChanged: Bool) {
    switch kind {
    case .itemID: return
    case .updateRule:
      guard isChanged, random.one(in: 4) else { return }
      note("update rule changed")
      value = .text(self.text(kind))
    case .containerID:
      guard random.one(in: profile.hostility > 0 ? 60 : 400) else { return }
      note("container changes its id")
      value = .text(uniqueID())
    case .id, .idAttribute:
      let id = kind.isWhole ? text.idInAttribute : text
      if let id, let other = plan.ids[id] {
        value = .text(kind.isWhole ? " id=\"\(other)\"" : other)
      } else if random.one(in: plan.rate * 3) {
        note("id changes")
        value = .text(self.text(kind))
      }
    case .content, .raw, .letters, .value, .attributes, .rules, .selection:
      guard isChanged else { return }
      note("text changed")
      value = .text(self.text(kind))
    }
  }

  private mutating func change(
    component cid: Int, in value: inout PageValue, _ hole: PageHole, _ depth: Int, _ isChanged: Bool
  ) {
    if let other = plan.cids[cid], components[other] != nil {
      value = .component(other)
      return
    }
    if isChanged, profile.handovers > 0 || random.one(in: 2) {
      note("component replaced")
      release(value, of: hole)
      value = make(hole, depth: depth + 2)
      return
    }
    change(component: cid, depth)
  }

  mutating func change(component cid: Int, _ depth: Int) {
    guard plan.visited.insert(cid).inserted, var component = components[cid] else { return }
    if random.one(in: 25), let choice = componentTemplates.values.first(where: { $0.contains(component.template) }) {
      note("component changes its template")
      release(component.values, of: component.template)
      component.template = pick(choice)
      component.values = make(component.template, depth: depth + 2)
    } else {
      change(&component.values, of: component.template, depth: depth + 2)
    }
    components[cid] = component
  }

  // MARK: - Lists and streams

  private mutating func change(_ list: inout PageList, depth: Int) {
    for _ in 0...random.below(3) {
      let count = list.entries.count
      switch random.below(10) {
      case 0, 1, 2:
        guard count < 8 else { continue }
        note("entry inserted")
        list.entries.insert(makeEntry(list.template, depth: depth + 1), at: random.below(count + 1))
      case 3 where count > 0:
        note("entry deleted")
        release(list.entries.remove(at: random.below(count)).values, of: list.template)
      case 4 where count > 1:
        note("entry moved")
        list.entries.insert(list.entries.remove(at: random.below(count)), at: random.below(count))
      case 5 where count > 1:
        note("entries swapped")
        list.entries.swapAt(random.below(count), random.below(count))
      case 6 where count > 1 && random.one(in: 2):
        note("list reversed")
        list.entries.reverse()
      case 7 where count > 1 && random.one(in: 2):
        note("list shuffled")
        list.entries.shuffle(using: &random)
      case 8 where count > 0 && random.one(in: 3):
        note("list cut")
        list.entries.removeLast(1 + random.below(count))
      case 9 where count < 4:
        note("list grown")
        for _ in 0...random.below(3) { list.entries.append(makeEntry(list.template, depth: depth + 1)) }
      default: continue
      }
    }
  }

  private mutating func change(_ stream: inout PageStream) {
    for _ in 0...random.below(3) {
      let limit = random.one(in: 5) ? pick(profile.rules > 0 ? [-3, -2, -1, 0, 1, 2, 3] : [-3, -2, 2, 3, 5]) : nil
      switch random.below(9) {
      case 0, 1:
        note("item at the end")
        insertItem(into: &stream, at: -1, limit: limit)
      case 2, 3:
        note("item at the start")
        insertItem(into: &stream, at: 0, limit: limit)
      case 4:
        note("item at a place")
        insertItem(into: &stream, at: 1 + random.below(4), limit: limit)
      case 5, 6:
        guard let item = stream.items.randomElement(using: &random) else { continue }
        note("item updated")
        insertItem(into: &stream, at: pick([-1, -1, 0, 1]), limit: nil, id: item.id, updateOnly: random.one(in: 4))
      case 7:
        guard let index = stream.items.indices.randomElement(using: &random) else { continue }
        note("item deleted")
        let id = stream.items.remove(at: index).id
        stream.inserts.removeAll { $0.id == id }
        stream.deletes.append(id)
      default:
        guard random.one(in: 3) else { continue }
        note("stream reset")
        stream.settle()
        stream.isReset = true
        if random.one(in: 2) { stream.items.shuffle(using: &random) }
        let kept = stream.items.prefix(random.below(3)).map(\.id)
        stream.items = []
        for id in kept { insertItem(into: &stream, at: -1, limit: nil, id: id) }
      }
    }
  }

  /// Changes components in items of a stream. The server has forgotten the items, so it sends only
  /// their components.
  private mutating func change(componentsIn stream: PageStream, _ depth: Int) {
    let fresh = Set(stream.inserts.map(\.id))
    for item in stream.items where !fresh.contains(item.id) {
      for cid in item.components where random.one(in: 3) {
        note("component in an item")
        change(component: cid, depth)
      }
    }
  }
}

extension PageText {
  fileprivate var isWhole: Bool { if case .idAttribute = self { true } else { false } }
}

extension String {
  /// The `x` in ` id="x"`.
  var idInAttribute: String? {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == " id=" ? String(parts[1]) : nil
  }
}
