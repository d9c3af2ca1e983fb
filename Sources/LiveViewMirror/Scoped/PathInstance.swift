internal import MarkupDocument
internal import RenderedTree

/// One instance of a template on the path to a slot: the page's root, a component, a fragment or an
/// entry. ``ScopedUpdate`` reads the instances of a path from the tree. ``RegionFinder`` and
/// ``RegionWriter`` use them.
struct PathInstance {
  /// The path to this instance, or a longer path that begins with it.
  private let longerPath: InstancePath
  /// The number of steps of ``longerPath`` that lead to this instance.
  private let steps: Int
  let statics: Statics
  let slots: [Slot]
  let site: Site?
  /// The template of the statics; `nil` if the instance is not linked or its position is not known,
  /// so that its slots cannot be addressed.
  let template: Template?
  /// The slot of the enclosing instance that contains this one.
  let outerSlot: Int
  /// The index of this entry in the comprehension in ``outerSlot``; `nil` if the instance is not an
  /// entry.
  let entry: Int?

  private init(
    _ path: InstancePath, steps: Int, statics: Statics, slots: [Slot], site: Site?, in templates: TemplateTable,
    outerSlot: Int = 0, entry: Int? = nil
  ) {
    longerPath = path
    self.steps = steps
    self.statics = statics
    self.slots = slots
    self.site = site
    template = site?.isAddressable == true ? templates[statics] : nil
    self.outerSlot = outerSlot
    self.entry = entry
  }

  fileprivate init(top: Fragment, of path: InstancePath, in templates: TemplateTable) {
    self.init(path, steps: 0, statics: top.statics, slots: top.slots, site: top.site, in: templates)
  }

  var path: InstancePath { longerPath.prefix(steps) }

  /// The gap that contains a slot; `nil` if the slot is in a tag, or if the instance has no
  /// template.
  func gap(of slot: Int) -> Template.Gap? {
    guard let template, case .gap(let gap) = template.positions[slot] else { return nil }
    return template.gaps[gap]
  }

  /// The instance to which a step leads; `nil` if there is none.
  fileprivate func inner(at step: InstancePath.Step, in templates: TemplateTable) -> PathInstance? {
    guard slots.indices.contains(step.slot) else { return nil }
    switch slots[step.slot] {
    case .fragment(let fragment):
      return PathInstance(
        longerPath, steps: steps + 1, statics: fragment.statics, slots: fragment.slots, site: fragment.site,
        in: templates, outerSlot: step.slot)
    case .comprehension(let comprehension):
      guard let index = step.entry, comprehension.entries.indices.contains(index) else { return nil }
      let entry = comprehension.entries[index]
      return PathInstance(
        longerPath, steps: steps + 1, statics: comprehension.statics, slots: entry.slots, site: entry.site,
        in: templates, outerSlot: step.slot, entry: index)
    case .text, .component: return nil
    }
  }
}

extension Rendered {
  /// The instances on a path, outermost first; `nil` if the tree does not have this path.
  ///
  /// - Complexity: O(*steps*).
  func instances(on path: InstancePath, in templates: TemplateTable) -> [PathInstance]? {
    guard let top = path.component.map({ components[$0] }) ?? root else { return nil }
    var instances: [PathInstance] = []
    instances.reserveCapacity(path.count + 1)
    instances.append(PathInstance(top: top, of: path, in: templates))
    for step in path.steps {
      guard let inner = instances[instances.count - 1].inner(at: step, in: templates) else { return nil }
      instances.append(inner)
    }
    return instances
  }

  /// The instance at the end of a path; `nil` unless all instances on the path are linked.
  ///
  /// - Complexity: O(*steps*).
  func linkedInstance(at path: InstancePath, in templates: TemplateTable) -> PathInstance? {
    let top = path.component.map { components[$0] } ?? root
    guard let top else { return nil }
    var instance = PathInstance(top: top, of: path, in: templates)
    for step in path.steps {
      guard instance.template != nil, let inner = instance.inner(at: step, in: templates) else { return nil }
      instance = inner
    }
    return instance.template == nil ? nil : instance
  }
}

// MARK: - Boundaries

/// One end of a range of markup.
enum Side {
  case left, right

  var other: Side { self == .left ? .right : .left }
}

extension Site {
  /// The number of the static node with which the instance begins or ends; `nil` if it begins or
  /// ends with a slot or a text.
  func boundaryNode(_ side: Side) -> Int? { side == .left ? first : last }
}

extension Rendered {
  /// The number of the static node with which the content of a slot begins or ends. It is `nil` if
  /// the content is a text or a stream, or begins or ends with a slot or a text.
  func boundaryNode(_ side: Side, of slot: Slot) -> Int? {
    switch slot {
    case .text: nil
    case .fragment(let fragment): fragment.site?.boundaryNode(side)
    case .component(let cid): components[cid]?.site?.boundaryNode(side)
    case .comprehension(let comprehension):
      comprehension.stream == nil
        ? (side == .left ? comprehension.entries.first : comprehension.entries.last)?.site?.boundaryNode(side) : nil
    }
  }

  /// Whether the position of a component is known, because the component begins with a static node
  /// that is in the document.
  func isPlaced(_ cid: Int, in document: Document) -> Bool {
    guard let root = components[cid]?.site?.boundaryNode(.left) else { return false }
    return document.contains(NodeRef(epoch: document.epoch, number: root))
  }
}
