internal import MarkupDocument
internal import RenderedTree

/// One instance of a template on the way to a slot: the page's root, a component, a fragment or an entry.
struct Level {
  /// The way to this instance or to one inside of it.
  private let way: InstancePath
  /// How many steps of the way lead here.
  let depth: Int
  var statics: Statics
  var slots: [Slot]
  var site: Site?
  /// The slot of the level above in which it stands.
  var slot: Int
  /// Which entry of the comprehension in that slot, for an instance that is one.
  var entry: Int?

  init(
    _ depth: Int, of way: InstancePath, statics: Statics, slots: [Slot], site: Site?, slot: Int = 0,
    entry: Int? = nil
  ) {
    self.way = way
    self.depth = depth
    self.statics = statics
    self.slots = slots
    self.site = site
    self.slot = slot
    self.entry = entry
  }

  var path: InstancePath { way.prefix(depth) }

  /// The strings as the document's stages read them; only for an instance that knows its nodes.
  var template: Template? { site?.template as? Template }

  /// The instance that the next step of the way leads to; `nil` where there is none.
  fileprivate func inner(at step: InstancePath.Step) -> Level? {
    guard slots.indices.contains(step.slot) else { return nil }
    switch slots[step.slot] {
    case .fragment(let fragment):
      return Level(
        depth + 1, of: way, statics: fragment.statics, slots: fragment.slots, site: fragment.site, slot: step.slot)
    case .comprehension(let comprehension):
      guard let index = step.entry, comprehension.entries.indices.contains(index) else { return nil }
      let entry = comprehension.entries[index]
      return Level(
        depth + 1, of: way, statics: comprehension.statics, slots: entry.slots, site: entry.site, slot: step.slot,
        entry: index)
    case .text, .component: return nil
    }
  }
}

extension Rendered {
  /// The instances on the way to one, outermost first; `nil` where there is none.
  ///
  /// - Complexity: O(*steps*).
  func levels(to path: InstancePath) -> [Level]? {
    guard let top = path.component.map({ components[$0] }) ?? root else { return nil }
    var levels: [Level] = []
    levels.reserveCapacity(path.count + 1)
    levels.append(Level(0, of: path, statics: top.statics, slots: top.slots, site: top.site))
    for step in path.steps {
      guard let inner = levels[levels.count - 1].inner(at: step) else { return nil }
      levels.append(inner)
    }
    return levels
  }

  /// The instance at the end of a way on which all know their nodes; `nil` where one does not.
  ///
  /// - Complexity: O(*steps*).
  func linkedLevel(at path: InstancePath) -> Level? {
    let top = path.component.map { components[$0] } ?? root
    guard let top else { return nil }
    var level = Level(0, of: path, statics: top.statics, slots: top.slots, site: top.site)
    for step in path.steps {
      guard level.template != nil, let inner = level.inner(at: step) else { return nil }
      level = inner
    }
    return level.template == nil ? nil : level
  }
}

// MARK: - Edges

/// The two ends of a stretch of markup.
enum Side { case left, right }

extension Site {
  /// The node with which an instance begins or ends, if that is one of its static nodes.
  func edge(_ side: Side) -> Int? {
    guard let template = template as? Template, let anchor = side == .left ? template.first : template.last else {
      return nil
    }
    return nodes[anchor] == 0 ? nil : nodes[anchor]
  }
}

extension Rendered {
  /// The node with which the content of a slot begins or ends, if it surely is one that stays.
  func edge(_ side: Side, of slot: Slot) -> Int? {
    switch slot {
    case .text: nil
    case .fragment(let fragment): fragment.site?.edge(side)
    case .component(let cid): components[cid]?.site?.edge(side)
    case .comprehension(let comprehension):
      comprehension.stream == nil
        ? (side == .left ? comprehension.entries.first : comprehension.entries.last)?.site?.edge(side) : nil
    }
  }
}
