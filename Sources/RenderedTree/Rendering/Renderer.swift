/// Writes a tree, or a part of one, as markup.
package struct Renderer {
  let components: [Int: Fragment]
  /// What is written without its content; `nil` for nothing.
  private let skipped: SkippedContent?
  package let touched: TouchedSlots.Index
  package private(set) var rendering = Rendering()
  var path: [SlotPath.Step] = []
  /// The components that are being written, outermost first.
  var openComponents: [Int] = []
  var openSpan: Int?
  private var level = 0
  /// Whether what is being written was sent whole, by itself or with what is around it.
  private var isWhole = false
  /// In a component that the update names, the client takes every root for a changed one. Not in the entries of a keyed
  /// comprehension that the update names too: there it looks at each entry (`cloneMerge`).
  private var isMerged = false

  init(components: [Int: Fragment], touched: TouchedSlots, skipping skipped: SkippedContent? = nil) {
    self.components = components
    self.skipped = skipped
    self.touched = TouchedSlots.Index(touched)
  }

  /// For a part of a tree.
  ///
  /// - Parameters:
  ///   - level: how deep the part stands.
  ///   - touched: the slots whose places in the markup are wanted.
  package init(partOf rendered: Rendered, level: Int, marking touched: TouchedSlots.Index) {
    components = rendered.components
    skipped = nil
    self.touched = touched
    self.level = level
  }

  package mutating func close(_ place: TouchedSlots.Place?, from start: Int) {
    for slot in touched.slots(at: place) { rendering.written.append((slot, start..<rendering.markup.count)) }
  }

  mutating func write(page root: Fragment, at place: TouchedSlots.Place) throws(RenderError) {
    isWhole = touched.isWhole(place)
    try write(root, at: place)
    close(place, from: 0)
  }

  mutating func write(
    _ statics: Statics, _ slots: [Slot], at place: TouchedSlots.Place?
  ) throws(RenderError) {
    level += 1
    guard level <= Rendered.maximumLevels else {
      throw .tooDeep(at: SlotPath(path), levels: Rendered.maximumLevels)
    }
    rendering.fragments += 1
    guard rendering.fragments <= Rendered.maximumFragments else {
      throw .tooMany(at: SlotPath(path), limit: Rendered.maximumFragments)
    }
    for (index, part) in statics.parts.enumerated() {
      rendering.markup.append(contentsOf: part.utf8)
      // Behind every slot stands a part: so a fragment of many large texts is stopped too.
      guard rendering.markup.count <= Rendered.maximumMarkup else {
        throw .tooLarge(at: SlotPath(path), limit: Rendered.maximumMarkup)
      }
      guard index < slots.count else { continue }
      path.append(.index(index))
      try write(slots[index], at: touched.child(index, of: place))
      path.removeLast()
    }
    level -= 1
  }

  // MARK: - Parts

  /// Bytes of a static string.
  package mutating func write(_ part: String, _ range: Range<Int>) {
    if range.count == part.utf8.count { return rendering.markup.append(contentsOf: part.utf8) }
    var part = part
    part.withUTF8 { rendering.markup.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  package mutating func write(
    _ entry: Comprehension.Entry, of comprehension: Comprehension, at place: TouchedSlots.Place?
  ) throws(RenderError) {
    let start = rendering.markup.count
    // Entries of a stream are the document's by DOM id; those of LiveView 1.0 are their place alone.
    if comprehension.isKeyed, comprehension.stream == nil {
      try span(of: .entry(list: comprehension.list, serial: entry.serial)) { renderer throws(RenderError) in
        try renderer.write(comprehension.statics, entry.slots, at: place)
      }
    } else {
      try write(comprehension.statics, entry.slots, at: place)
    }
    close(place, from: start)
  }

  // MARK: - Slots

  package mutating func write(_ slot: Slot, at place: TouchedSlots.Place?) throws(RenderError) {
    let start = rendering.markup.count
    let outer = isWhole
    if touched.isWhole(place) { isWhole = true }
    defer { isWhole = outer }
    switch slot {
    case .text(let text): rendering.markup.append(contentsOf: text.utf8)
    case .component(let cid): try write(component: cid)
    case .fragment(let fragment): try write(fragment, at: place)
    case .comprehension(let comprehension): try write(comprehension, at: place)
    }
    close(place, from: start)
  }

  mutating func write(_ comprehension: Comprehension, at place: TouchedSlots.Place?) throws(RenderError) {
    path.append(.key(comprehension.isKeyed ? "k" : "d"))
    let outer = isMerged
    if place != nil { isMerged = false }
    defer { isMerged = outer }
    for (index, entry) in comprehension.entries.enumerated() {
      path.append(.index(index))
      try write(entry, of: comprehension, at: touched.child(index, of: place))
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
    let outerState = (isWhole, isMerged)
    (isWhole, isMerged) = (touched.isWhole(place), place != nil)
    defer { (isWhole, isMerged) = outerState }
    let start = rendering.markup.count
    let tag = component.statics.rootTag
    let isSkipped = tag != nil && skipped?.components.contains(cid) ?? false
    try span(of: .component(cid), tag: tag, isSkipped: isSkipped) { renderer throws(RenderError) in
      let mark = isSkipped ? Rendering.Mark(renderer.rendering) : nil
      try renderer.write(component.statics, component.slots, at: place)
      if let mark, let tag { renderer.rendering.empty(to: mark, tag: tag) }
    }
    close(place, from: start)
    openComponents.removeLast()
    path = outer
  }

  /// A fragment, with its root element where it has one.
  mutating func write(_ fragment: Fragment, at place: TouchedSlots.Place?) throws(RenderError) {
    guard let identity = fragment.root, let tag = fragment.statics.parts[0].firstTag else {
      return try write(fragment.statics, fragment.slots, at: place)
    }
    let news: Rendering.News = isWhole ? .all : place == nil && !isMerged ? .nothing : .parts
    let start = rendering.markup.count + tag
    let position = rendering.roots.count
    let isSkipped = news == .nothing && skipped?.functionComponents ?? false
    rendering.roots.append(.init(identity: identity, range: start..<start, news: news, isSkipped: isSkipped))
    let mark = isSkipped ? Rendering.Mark(rendering) : nil
    try write(fragment.statics, fragment.slots, at: place)
    if let mark { rendering.empty(to: mark, tag: tag) }
    rendering.roots[position].range = start..<max(start, rendering.markup.count)
  }

  /// Notes that an element of the document whose markup comes next is a root.
  package mutating func noteRoot(_ identity: Int) {
    let start = rendering.markup.count
    rendering.roots.append(.init(identity: identity, range: start..<start, news: .parts))
  }

  /// Writes as a stretch of markup with an origin.
  package mutating func span(
    of origin: Rendering.Origin, tag: Int? = nil, isSkipped: Bool = false,
    _ body: (inout Renderer) throws(RenderError) -> Void
  ) throws(RenderError) {
    let outer = openSpan
    let position = rendering.spans.count
    let start = rendering.markup.count
    rendering.spans.append(
      .init(
        origin: origin, range: start..<start, parent: outer, tag: tag.map { start + $0 }, isSkipped: isSkipped))
    openSpan = position
    try body(&self)
    rendering.spans[position].range = start..<rendering.markup.count
    openSpan = outer
  }
}
