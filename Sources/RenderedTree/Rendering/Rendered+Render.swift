extension Rendered {
  /// A page may nest this many fragments and components.
  package static let maximumLevels = 1_000
  /// A page may have this many bytes of markup: components that are named twice can double at every level.
  package static let maximumMarkup = 24 << 20
  /// A page may have this many fragments, components and entries, since they double with or without markup.
  package static let maximumFragments = 1 << 20

  /// The whole page as plain markup.
  ///
  /// - Throws: ``RenderError`` with the place in the tree.
  /// - Complexity: O(*markup*).
  package func render(marking touched: TouchedSlots = TouchedSlots()) throws(RenderError) -> Rendering {
    var renderer = Renderer(components: components, touched: touched)
    try renderer.write(root.statics, root.slots, at: touched.root)
    renderer.close(touched.root, from: 0)
    return renderer.rendering
  }
}

extension Rendered {
  /// One component by itself, as it would stand in the page.
  ///
  /// - Throws: ``RenderError``, also where there is no such component.
  package func render(component cid: Int) throws(RenderError) -> Rendering {
    var renderer = Renderer(components: components, touched: TouchedSlots())
    try renderer.write(component: cid)
    return renderer.rendering
  }
}

private struct Renderer {
  let components: [Int: Fragment]
  let touched: TouchedSlots.Index
  var rendering = Rendering()
  var path: [SlotPath.Step] = []
  /// The components that are being written, outermost first.
  var openComponents: [Int] = []
  var openSpan: Int?
  var level = 0
  var fragments = 0

  init(components: [Int: Fragment], touched: TouchedSlots) {
    self.components = components
    self.touched = TouchedSlots.Index(touched)
  }

  mutating func close(_ place: TouchedSlots.Place?, from start: Int) {
    for slot in touched.slots(at: place) { rendering.written.append((slot, start..<rendering.markup.count)) }
  }

  mutating func write(
    _ statics: Statics, _ slots: [Slot], at place: TouchedSlots.Place?
  ) throws(RenderError) {
    level += 1
    guard level <= Rendered.maximumLevels else {
      throw .tooDeep(at: SlotPath(path), levels: Rendered.maximumLevels)
    }
    fragments += 1
    guard rendering.markup.count <= Rendered.maximumMarkup else {
      throw .tooLarge(at: SlotPath(path), limit: Rendered.maximumMarkup)
    }
    guard fragments <= Rendered.maximumFragments else {
      throw .tooMany(at: SlotPath(path), limit: Rendered.maximumFragments)
    }
    for (index, part) in statics.parts.enumerated() {
      rendering.markup.append(contentsOf: part.utf8)
      guard index < slots.count else { continue }
      path.append(.index(index))
      try write(slots[index], at: touched.child(index, of: place))
      path.removeLast()
    }
    level -= 1
  }

  mutating func write(_ slot: Slot, at place: TouchedSlots.Place?) throws(RenderError) {
    let start = rendering.markup.count
    switch slot {
    case .text(let text): rendering.markup.append(contentsOf: text.utf8)
    case .component(let cid): try write(component: cid)
    case .fragment(let fragment): try write(fragment.statics, fragment.slots, at: place)
    case .comprehension(let comprehension): try write(comprehension, at: place)
    }
    close(place, from: start)
  }

  mutating func write(_ comprehension: Comprehension, at place: TouchedSlots.Place?) throws(RenderError) {
    path.append(.key(comprehension.isKeyed ? "k" : "d"))
    for (index, entry) in comprehension.entries.enumerated() {
      path.append(.index(index))
      let start = rendering.markup.count
      let entryPlace = touched.child(index, of: place)
      // Entries of a stream are the document's by DOM id; those of LiveView 1.0 are their place alone.
      if comprehension.isKeyed, comprehension.stream == nil {
        try span(.entry(list: comprehension.list, serial: entry.serial)) { renderer throws(RenderError) in
          try renderer.write(comprehension.statics, entry.slots, at: entryPlace)
        }
      } else {
        try write(comprehension.statics, entry.slots, at: entryPlace)
      }
      close(entryPlace, from: start)
      path.removeLast()
    }
    if let stream = comprehension.stream { rendering.streams.append(stream) }
    path.removeLast()
  }

  mutating func write(component cid: Int) throws(RenderError) {
    guard let component = components[cid] else { throw .unknownComponent(at: SlotPath(path), cid: cid) }
    if openComponents.contains(cid) { throw .componentCycle(at: SlotPath(path), cids: openComponents + [cid]) }
    let outer = path
    path = [.key("c"), .index(cid)]
    openComponents.append(cid)
    let place = touched.component(cid)
    let start = rendering.markup.count
    try span(.component(cid)) { renderer throws(RenderError) in
      try renderer.write(component.statics, component.slots, at: place)
    }
    close(place, from: start)
    openComponents.removeLast()
    path = outer
  }

  mutating func span(
    _ origin: Rendering.Origin, _ body: (inout Renderer) throws(RenderError) -> Void
  ) throws(RenderError) {
    let outer = openSpan
    let position = rendering.spans.count
    let start = rendering.markup.count
    rendering.spans.append(.init(origin: origin, range: start..<start, parent: outer))
    openSpan = position
    try body(&self)
    rendering.spans[position].range = start..<rendering.markup.count
    openSpan = outer
  }
}
