import RenderedTree

extension Rendered {
  /// The whole tree with identities and places, one line for each part.
  var everything: [String] {
    var lines = ["page"]
    root.describe(into: &lines, "")
    for cid in components.keys.sorted() {
      lines.append("component \(cid)")
      components[cid]?.describe(into: &lines, "")
    }
    return lines
  }

  /// Assigns a place to every fragment, entry and component.
  ///
  /// - Returns: the places of the entries by their serials.
  @discardableResult
  mutating func placeEverything() -> [Int: Site] {
    var sites: [Int: Site] = [:]
    root.place(&sites)
    for cid in Array(components.keys) { components[cid]?.place(&sites) }
    return sites
  }

  /// All places of the tree, with the serial if the place belongs to an entry.
  var places: [(site: Site, serial: Int?)] {
    var places: [(site: Site, serial: Int?)] = []
    root.collect(&places)
    for component in components.values { component.collect(&places) }
    return places
  }
}

extension Site {
  /// A site that differs from all others: the tree ignores its depth, which serves as its name.
  fileprivate static func new() -> Site { Site(anchors: 0, depth: .random(in: 0..<Int.max)) }

  fileprivate var name: String { String(depth) }
}

extension Fragment {
  fileprivate func describe(into lines: inout [String], _ indent: String) {
    lines.append("\(indent)fragment \(statics.parts) root \(isRoot) site \(site?.name ?? "none")")
    for slot in slots { slot.describe(into: &lines, indent + "  ") }
  }

  fileprivate mutating func place(_ sites: inout [Int: Site]) {
    site = .new()
    for index in slots.indices { slots[index].place(&sites) }
  }

  fileprivate func collect(_ places: inout [(site: Site, serial: Int?)]) {
    if let site { places.append((site, nil)) }
    for slot in slots { slot.collect(&places) }
  }
}

extension Slot {
  fileprivate func describe(into lines: inout [String], _ indent: String) {
    switch self {
    case .text(let text): lines.append("\(indent)text \(text)")
    case .component(let cid): lines.append("\(indent)component \(cid)")
    case .fragment(let fragment): fragment.describe(into: &lines, indent)
    case .comprehension(let list):
      let stream = list.stream.map { "\($0)" } ?? "none"
      lines.append("\(indent)list \(list.list) \(list.statics.parts) keyed \(list.isKeyed) stream \(stream)")
      for entry in list.entries {
        lines.append("\(indent)  entry \(entry.serial) site \(entry.site?.name ?? "none")")
        for slot in entry.slots { slot.describe(into: &lines, indent + "    ") }
      }
    }
  }

  fileprivate mutating func place(_ sites: inout [Int: Site]) {
    switch self {
    case .text, .component: break
    case .fragment(var fragment):
      fragment.place(&sites)
      self = .fragment(fragment)
    case .comprehension(var list):
      for index in list.entries.indices {
        list.entries[index].site = .new()
        sites[list.entries[index].serial] = list.entries[index].site
        for slot in list.entries[index].slots.indices { list.entries[index].slots[slot].place(&sites) }
      }
      self = .comprehension(list)
    }
  }

  fileprivate func collect(_ places: inout [(site: Site, serial: Int?)]) {
    switch self {
    case .text, .component: break
    case .fragment(let fragment): fragment.collect(&places)
    case .comprehension(let list):
      for entry in list.entries {
        if let site = entry.site { places.append((site, entry.serial)) }
        for slot in entry.slots { slot.collect(&places) }
      }
    }
  }
}
