internal import MarkupDocument
internal import RenderedTree

/// Writes the markup between two edges, which may lie in different levels.
struct RegionWriter {
  var renderer: Renderer
  let levels: [Level]
  private(set) var units: [(unit: Region.Unit, offset: Int)] = []

  init(renderer: Renderer, levels: [Level]) {
    self.renderer = renderer
    self.levels = levels
  }

  mutating func write(
    _ center: RegionFinder.Center, from left: RegionFinder.Edge, to right: RegionFinder.Edge
  ) throws(RenderError) {
    try write(min(left.level, right.level), center, left, right)
  }

  /// What a level has in the region, with the levels inside of it.
  private mutating func write(
    _ number: Int, _ center: RegionFinder.Center, _ left: RegionFinder.Edge, _ right: RegionFinder.Edge
  ) throws(RenderError) {
    let level = levels[number]
    let child = number < center.level ? levels[number + 1].slot : center.slot
    // Before the child: from the edge, if it lies here; all, if it lies further out; nothing, if further in.
    if left.level == number, case .strings(let start) = left.place {
      try write(level, from: start, to: level.endOfPart(child))
    } else if left.level < number {
      try write(level, from: .init(part: 0, offset: 0), to: level.endOfPart(child))
    }
    if number < center.level {
      try write(number + 1, center, left, right)
    } else {
      try writeCenter(center, left, right)
    }
    if right.level == number, case .strings(let end) = right.place {
      try write(level, from: .init(part: child + 1, offset: 0), to: end)
    } else if right.level < number {
      try write(level, from: .init(part: child + 1, offset: 0), to: level.endOfPart(level.statics.parts.count - 1))
    }
  }

  private mutating func writeCenter(
    _ center: RegionFinder.Center, _ left: RegionFinder.Edge, _ right: RegionFinder.Edge
  ) throws(RenderError) {
    let level = levels[center.level]
    let touched = renderer.touched
    let place = touched.child(center.slot, of: touched.place(of: level.path))
    guard center.entry != nil, case .comprehension(let comprehension) = level.slots[center.slot] else {
      units.append((.slot(of: level.path, center.slot), renderer.rendering.markup.count))
      return try renderer.write(level.slots[center.slot], at: place)
    }
    var range = comprehension.entries.indices
    if case .entry(let first) = left.place { range = first..<range.upperBound }
    if case .entry(let end) = right.place { range = range.lowerBound..<end }
    for index in range {
      units.append((.entry(of: level.path, slot: center.slot, index), renderer.rendering.markup.count))
      try renderer.write(comprehension.entries[index], of: comprehension, at: touched.child(index, of: place))
    }
  }

  private mutating func write(
    _ level: Level, from start: Template.Place, to end: Template.Place
  ) throws(RenderError) {
    try renderer.write(level, from: start, to: end, at: renderer.touched.place(of: level.path)) { slot, offset in
      units.append((.slot(of: level.path, slot), offset))
    }
  }
}

extension Level {
  func endOfPart(_ part: Int) -> Template.Place {
    Template.Place(part: part, offset: statics.parts[part].utf8.count)
  }
}

extension Renderer {
  /// A stretch of an instance: strings, and the slots between them.
  mutating func write(
    _ level: Level, from start: Template.Place, to end: Template.Place, at place: TouchedSlots.Place?,
    noting note: (Int, Int) -> Void = { _, _ in }
  ) throws(RenderError) {
    guard start < end else { return }
    for part in start.part...end.part {
      let string = level.statics.parts[part]
      write(string, (part == start.part ? start.offset : 0)..<(part == end.part ? end.offset : string.utf8.count))
      guard part < end.part else { return }
      note(part, rendering.markup.count)
      try write(level.slots[part], at: touched.child(part, of: place))
    }
  }

  /// Writes with the origin that an element has.
  mutating func within(
    _ origin: Origin?, _ body: (inout Renderer) throws(RenderError) -> Void
  ) throws(RenderError) {
    guard let origin else { return try body(&self) }
    try span(
      of: origin.group == Origin.components
        ? .component(origin.member) : .entry(list: origin.group, serial: origin.member), body)
  }
}
