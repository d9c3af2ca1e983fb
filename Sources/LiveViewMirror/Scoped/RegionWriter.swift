internal import MarkupDocument
internal import RenderedTree

/// Renders a region. ``ScopedContext`` calls ``markup(of:in:)`` for each region. A ``Region`` may
/// call it once more with the tree before the update, to find the causes of removals.
///
/// The parts are noted in the order of their offsets, because the ``Linker`` reads the markup only
/// forwards.
struct RegionWriter {
  private let context: ScopedContext
  private var renderer: Renderer
  private var parts: [(part: Region.LinkedPart, offset: Int)] = []

  /// - Parameter isMarked: whether to note which range of the markup each touched slot writes. The
  ///   ranges serve to find the slots that caused a change; entries of lists and streams need none,
  ///   because their causes are known.
  private init(_ context: ScopedContext, depth: Int, isMarked: Bool = true) {
    self.context = context
    renderer = Renderer(partOf: context.rendered, depth: depth, marking: isMarked ? context.touchedIndex : .none)
  }

  /// - Complexity: O(*markup* + *slots*).
  static func markup(
    of content: Region.Content, in context: ScopedContext
  ) throws(FullUpdateReason) -> Region.Markup {
    do throws(RenderError) {
      var writer: RegionWriter
      switch content {
      case .element(let anchor, let instance):
        writer = RegionWriter(context, depth: instance.site?.depth ?? 0)
        try writer.write(anchor, of: instance)
      case .component(let cid, let depth):
        writer = RegionWriter(context, depth: depth)
        try writer.renderer.write(.component(cid), at: nil)
        writer.parts = [(.component(cid, depth: depth), 0)]
      case .between(let left, let right, let changed, let instances):
        writer = RegionWriter(context, depth: instances[changed.instance].site?.depth ?? 0)
        try writer.write(min(left.instance, right.instance), instances, changed, left, right)
      case .entries(let range, let list, let slot, let instance):
        writer = RegionWriter(context, depth: instance.site?.depth ?? 0, isMarked: false)
        for index in range {
          let offset = writer.renderer.rendering.markup.count
          writer.parts.append((.entry(of: instance.path, slot: slot, index), offset))
          try writer.renderer.write(list.entries[index], of: list, at: nil)
        }
      case .item(let index, let list, let instance, _):
        // Entries of a stream are not linked.
        writer = RegionWriter(context, depth: instance.site?.depth ?? 0, isMarked: false)
        try writer.renderer.write(list.entries[index], of: list, at: nil)
      }
      return Region.Markup(rendering: writer.renderer.rendering, parts: writer.parts)
    } catch { throw .unrenderable(error.reason) }
  }

  // MARK: - A static element

  private mutating func write(_ anchor: Int, of instance: PathInstance) throws(RenderError) {
    guard let template = instance.template, let site = instance.site else { return }
    let (start, end) = (template.anchors[anchor].start, template.anchors[anchor].end)
    let marks = context.document.marks
    let element = NodeRef(epoch: context.document.epoch, number: site[anchor])
    if let root = marks.roots[element] { renderer.noteRoot(root) }
    let place = context.touchedIndex.place(of: instance.path)
    try renderer.within(marks.origins[element]) { renderer throws(RenderError) in
      try renderer.write(instance, from: start, to: end, at: place)
    }
    parts = [(.element(of: instance.path, anchor: anchor), 0)]
  }

  // MARK: - Between boundaries

  /// Writes the part of the region that belongs to an instance, with the instances inside of it.
  private mutating func write(
    _ position: Int, _ instances: [PathInstance], _ changed: Region.ChangedSlot, _ left: Region.Boundary,
    _ right: Region.Boundary
  ) throws(RenderError) {
    let instance = instances[position]
    let slot = position < changed.instance ? instances[position + 1].outerSlot : changed.slot
    // Before the slot, the part from the left boundary on is written if the boundary is in this
    // instance. If the boundary is in an outer instance, everything is written; if it is in an
    // inner instance, nothing. The part after the slot is symmetric.
    if left.instance == position, case .strings(let start) = left.position {
      try write(instance, from: start, to: instance.endOfPart(slot))
    } else if left.instance < position {
      try write(instance, from: .init(part: 0, offset: 0), to: instance.endOfPart(slot))
    }
    if position < changed.instance {
      try write(position + 1, instances, changed, left, right)
    } else {
      try writeChangedSlot(of: instance, changed, left, right)
    }
    if right.instance == position, case .strings(let end) = right.position {
      try write(instance, from: .init(part: slot + 1, offset: 0), to: end)
    } else if right.instance < position {
      try write(
        instance, from: .init(part: slot + 1, offset: 0), to: instance.endOfPart(instance.statics.parts.count - 1))
    }
  }

  private mutating func writeChangedSlot(
    of instance: PathInstance, _ changed: Region.ChangedSlot, _ left: Region.Boundary, _ right: Region.Boundary
  ) throws(RenderError) {
    let touched = context.touchedIndex
    let place = touched.child(changed.slot, of: touched.place(of: instance.path))
    guard changed.entry != nil, case .comprehension(let comprehension) = instance.slots[changed.slot] else {
      parts.append((.slot(of: instance.path, changed.slot), renderer.rendering.markup.count))
      return try renderer.write(instance.slots[changed.slot], at: place)
    }
    var range = comprehension.entries.indices
    if case .entry(let first) = left.position { range = first..<range.upperBound }
    if case .entry(let end) = right.position { range = range.lowerBound..<end }
    for index in range {
      parts.append((.entry(of: instance.path, slot: changed.slot, index), renderer.rendering.markup.count))
      try renderer.write(comprehension.entries[index], of: comprehension, at: touched.child(index, of: place))
    }
  }

  private mutating func write(
    _ instance: PathInstance, from start: Template.StringPosition, to end: Template.StringPosition
  ) throws(RenderError) {
    let path = instance.path
    try renderer.write(instance, from: start, to: end, at: context.touchedIndex.place(of: path)) { slot, offset in
      parts.append((.slot(of: path, slot), offset))
    }
  }
}

extension Renderer {
  /// Writes a part of an instance: strings, and the slots between them.
  ///
  /// - Parameter note: called for each slot, with its index and its offset in the markup.
  fileprivate mutating func write(
    _ instance: PathInstance, from start: Template.StringPosition, to end: Template.StringPosition,
    at place: TouchedSlots.Place?,
    noting note: (Int, Int) -> Void = { _, _ in }
  ) throws(RenderError) {
    guard start < end else { return }
    for part in start.part...end.part {
      let string = instance.statics.parts[part]
      write(string, (part == start.part ? start.offset : 0)..<(part == end.part ? end.offset : string.utf8.count))
      guard part < end.part else { return }
      note(part, rendering.markup.count)
      try write(instance.slots[part], at: touched.child(part, of: place))
    }
  }

  /// Runs `body`. If `origin` is a component or an entry, records the markup that `body` writes as
  /// its span.
  fileprivate mutating func within(
    _ origin: Origin?, _ body: (inout Renderer) throws(RenderError) -> Void
  ) throws(RenderError) {
    guard let origin else { return try body(&self) }
    try span(
      of: origin.group == Origin.components
        ? .component(origin.member) : .entry(list: origin.group, serial: origin.member), body)
  }
}
