/// Renders a tree, or a part of it, as markup. ``Rendered/render(marking:skipping:)`` makes one for
/// the whole page, and scoped updates make one for each region. After an error, its state is not
/// restored, and it must not be used again.
package struct Renderer {
  let components: [Int: Fragment]
  /// The components and function components that are written without their content; `nil` for none.
  private let skipped: SkippedContent?
  package let touched: TouchedSlots.Index
  package private(set) var rendering = Rendering()
  var path: [SlotPath.Step] = []
  /// The components that are being written, outermost first. Used to detect cycles.
  var openComponents: [Int] = []
  /// The position of the innermost open span in ``Rendering/spans``.
  var openSpan: Int?
  /// The number of instances that enclose the current position.
  private var depth = 0
  /// Whether the update sent the current value whole, either by itself or inside an enclosing
  /// value.
  private var isWhole = false
  /// Whether the current position is in a component that the update refers to: LiveView's client
  /// then treats every root in it as changed. `false` in the entries of a comprehension that the
  /// update also names, because the client compares each of these entries (`cloneMerge`).
  private var isMerged = false

  /// A renderer for a tree, or for a part of it.
  ///
  /// - Parameters:
  ///   - depth: the number of instances that enclose the part.
  ///   - touched: the slots whose ranges in the markup are noted.
  package init(
    partOf rendered: Rendered, depth: Int = 0, marking touched: TouchedSlots.Index,
    skipping skipped: SkippedContent? = nil
  ) {
    components = rendered.components
    self.skipped = skipped
    self.touched = touched
    self.depth = depth
  }

  /// Notes the range of markup that the slots at a place have written.
  package mutating func close(_ place: TouchedSlots.Place?, from start: Int) {
    for slot in touched.slots(at: place) { rendering.written.append((slot, start..<rendering.markup.count)) }
  }

  mutating func write(page root: Fragment) throws(RenderError) {
    let place = TouchedSlots.Place.root
    isWhole = touched.isWhole(place)
    try write(root, at: place)
    close(place, from: 0)
  }

  mutating func write(
    _ statics: Statics, _ slots: [Slot], at place: TouchedSlots.Place?
  ) throws(RenderError) {
    depth += 1
    guard depth <= Rendered.maximumLevels else {
      throw .tooDeep(at: SlotPath(path), levels: Rendered.maximumLevels)
    }
    rendering.fragments += 1
    guard rendering.fragments <= Rendered.maximumFragments else {
      throw .tooMany(at: SlotPath(path), limit: Rendered.maximumFragments)
    }
    for (index, part) in statics.parts.enumerated() {
      rendering.markup.append(contentsOf: part.utf8)
      // Each slot is followed by a part, so this check also stops a fragment with many large texts.
      guard rendering.markup.count <= Rendered.maximumMarkup else {
        throw .tooLarge(at: SlotPath(path), limit: Rendered.maximumMarkup)
      }
      guard index < slots.count else { continue }
      path.append(.index(index))
      try write(slots[index], at: touched.child(index, of: place))
      path.removeLast()
    }
    depth -= 1
  }

  // MARK: - Strings and entries

  /// Writes a range of a static string, in bytes.
  package mutating func write(_ part: String, _ range: Range<Int>) {
    if range.count == part.utf8.count { return rendering.markup.append(contentsOf: part.utf8) }
    var part = part
    part.withUTF8 { rendering.markup.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Writes an entry, as a span if the comprehension is keyed and not a stream.
  package mutating func write(
    _ entry: Comprehension.Entry, of comprehension: Comprehension, at place: TouchedSlots.Place?
  ) throws(RenderError) {
    let start = rendering.markup.count
    // The document identifies the entries of streams by DOM id, and those of LiveView 1.0 have no
    // identity besides their index.
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

  /// Writes the value of a slot.
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
    let comment = tag.flatMap { component.statics.parts[0].commentTakenForRoot(before: $0) }
    let isSkipped = tag != nil && skipped?.components.contains(cid) ?? false
    try span(
      of: .component(cid), tag: tag, isSkipped: isSkipped, isHidden: comment != nil
    ) { renderer throws(RenderError) in
      let mark = isSkipped ? Rendering.Mark(renderer.rendering) : nil
      try renderer.write(component.statics, component.slots, at: place)
      if let mark, let tag { renderer.rendering.empty(to: mark, tag: comment ?? tag) }
    }
    close(place, from: start)
    openComponents.removeLast()
    path = outer
  }

  /// Writes a fragment, and notes its root element if it has one.
  mutating func write(_ fragment: Fragment, at place: TouchedSlots.Place?) throws(RenderError) {
    guard let identity = fragment.root, let tag = fragment.statics.parts[0].firstTag else {
      return try write(fragment.statics, fragment.slots, at: place)
    }
    let extent: Rendering.Extent = isWhole ? .all : place == nil && !isMerged ? .nothing : .parts
    let start = rendering.markup.count + tag
    let comment = fragment.statics.parts[0].commentTakenForRoot(before: tag)
    let position = comment == nil ? rendering.roots.count : nil
    let isSkipped = extent == .nothing && skipped?.functionComponents ?? false
    if comment == nil {
      rendering.roots.append(.init(identity: identity, range: start..<start, extent: extent, isSkipped: isSkipped))
    } else {
      rendering.hidesRoots = true
    }
    let mark = isSkipped ? Rendering.Mark(rendering) : nil
    try write(fragment.statics, fragment.slots, at: place)
    if let mark { rendering.empty(to: mark, tag: comment ?? tag) }
    if let position { rendering.roots[position].range = start..<max(start, rendering.markup.count) }
  }

  /// Notes that the element that is written next is a root. Used when a region starts with an
  /// element of the document.
  package mutating func noteRoot(_ identity: Int) {
    let start = rendering.markup.count
    rendering.roots.append(.init(identity: identity, range: start..<start, extent: .parts))
  }

  /// Writes a span: a range of markup with an origin.
  package mutating func span(
    of origin: Rendering.Origin, tag: Int? = nil, isSkipped: Bool = false, isHidden: Bool = false,
    _ body: (inout Renderer) throws(RenderError) -> Void
  ) throws(RenderError) {
    let outer = openSpan
    let position = rendering.spans.count
    let start = rendering.markup.count
    rendering.spans.append(
      .init(
        origin: origin, range: start..<start, parent: outer, tag: tag.map { start + $0 }, isSkipped: isSkipped,
        isHidden: isHidden))
    if isHidden { rendering.hidesRoots = true }
    openSpan = position
    try body(&self)
    let end = rendering.markup.count
    rendering.spans[position].range = start..<end
    // If the content is skipped, and LiveView's client takes a comment of several lines before the
    // root for the root, the emptied markup can end before the tag.
    if let tag = rendering.spans[position].tag, tag >= end { rendering.spans[position].tag = nil }
    openSpan = outer
  }
}
