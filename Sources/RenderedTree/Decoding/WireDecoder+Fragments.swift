/// Decodes trees: fragments with their slots and statics, and components. ``Reader`` decodes the
/// tree of each update with ``fragment(_:templates:place:)``.
extension WireDecoder.Reader {
  /// - Parameter place: the meaning of the object, which determines the meaning of its keys. In a
  ///   whole update, the members beside the tree, such as the title and the events, are stored in
  ///   ``beside``.
  mutating func fragment(
    _ object: Int, templates outer: [Int: Statics]?, place: DiffPart
  ) throws(WireError) -> FragmentDiff {
    guard tape.kind(object) == .object else { throw wrong("expected an object", at: object) }
    // The templates are read first, wherever `p` is in the object, because all fragments inside may
    // reference them.
    let templates = if let own = tape.member(DiffKey.p.name, of: object) { try readTemplates(own) } else { outer }
    var statics: FragmentDiff.StaticsSource?
    var isRoot = false
    var slots: [(index: Int, diff: SlotDiff)] = []
    var comprehension: FragmentDiff.Body?
    var stream: StreamOperation?
    var members = WireDecoder.Members(of: object, on: tape)
    while let (name, value) = try members.next(in: self) {
      if case .index(let index) = name {
        let slot = (index, try slot(value, templates: templates))
        if tape.count(object) == 1 {
          slots = [slot]
        } else {
          if slots.isEmpty { slots.reserveCapacity(tape.count(object)) }
          slots.append(slot)
        }
        continue
      }
      let part = DiffGrammar.part(of: name, isNumber: tape.kind(value) == .integer, in: place)
      if comprehension != nil, part == .keyed || part == .entries {
        throw wrong(
          "a comprehension must have either keyed entries (\"k\") or a list of entries (\"d\"), not both", at: value)
      }
      switch part {
      case .statics, .clone: statics = try self.statics(value, templates: templates, isClone: part == .clone)
      case .templates: break
      case .keyed: comprehension = .keyed(try keyed(value, templates: templates))
      case .entries: comprehension = .entries(try entries(value, templates: templates))
      case .stream: stream = try self.stream(value)
      case .root: isRoot = tape.integer(value) == 1
      case .reply: beside.reply = tape.json(value)
      case .components: beside.components = try components(value)
      case .events:
        guard tape.kind(value) == .array else { throw wrong("events must be an array", at: value) }
        beside.events = tape.count(value) == 0 ? nil : tape.json(value)
      // LiveView's client ignores a title that is not a string. The server sends `null` if the
      // page's title is assigned and empty.
      case .title: beside.title = tape.string(value)
      default:
        if place == .update, name == .unknown { try checkWrapper(value, of: object) }
        try ignoreKey(of: value)
      }
    }
    if comprehension != nil, let first = slots.first {
      throw wrong("a comprehension must not have slots of its own, but it has slot \(first.index)", at: object)
    }
    if !members.isAscending { slots.sort { $0.index < $1.index } }
    guard let comprehension else {
      return FragmentDiff(statics: statics, isRoot: isRoot, body: .slots(slots), stream: stream)
    }
    return FragmentDiff(statics: statics, isRoot: isRoot, body: comprehension, stream: stream)
  }

  /// Throws for a key that wraps an update: the client sent the update to the wrong route. Other
  /// unknown keys are ignored, because a later LiveView may send them. A wrapper is not such a key.
  private func checkWrapper(_ value: Int, of object: Int) throws(WireError) {
    for name in ["rendered", "diff", "response"] where tape.bytes(value - 1).elementsEqual(name.utf8) {
      throw wrong("expected an update, but found an object with \"\(name)\"", at: value)
    }
  }

  mutating func slot(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> SlotDiff {
    switch tape.kind(value) {
    case .string: return .text(String(decoding: tape.bytes(value), as: UTF8.self))
    case .object: return .fragment(try fragment(value, templates: templates, place: .slot))
    case .integer:
      guard let cid = tape.integer(value), cid > 0 else {
        throw wrong("a component id must be a whole number ≥ 1", at: value)
      }
      return .component(cid)
    case .array, .other:
      throw wrong("a slot must be a string, a component id or an object; send other values as strings", at: value)
    }
  }

  private func statics(
    _ value: Int, templates: [Int: Statics]?, isClone: Bool
  ) throws(WireError) -> FragmentDiff.StaticsSource {
    guard let number = tape.integer(value) else { return .here(try strings(value)) }
    if isClone {
      guard number != 0 else { throw wrong("a reference to another component's statics must not be 0", at: value) }
      return .component(number)
    }
    guard let template = templates?[number] else {
      throw wrong("template \(number) is not in the \"p\" of this update", at: value)
    }
    return .template(number, template)
  }

  private func strings(_ value: Int) throws(WireError) -> Statics {
    guard tape.kind(value) == .array else {
      throw wrong("statics must be an array of strings or an integer", at: value)
    }
    var parts: [String] = []
    parts.reserveCapacity(tape.count(value))
    for element in tape.elements(value) {
      guard let part = tape.string(element) else { throw wrong("each of the statics must be a string", at: element) }
      parts.append(part)
    }
    return Statics(parts)
  }

  private func readTemplates(_ value: Int) throws(WireError) -> [Int: Statics] {
    guard tape.kind(value) == .object else { throw wrong("templates must be an object", at: value) }
    var templates: [Int: Statics] = [:]
    var members = WireDecoder.Members(of: value, on: tape)
    while let (name, value) = try members.next(in: self) {
      guard case .index(let index) = name else { throw wrong("the key of a template must be a number", at: value) }
      templates[index] = try strings(value)
    }
    return templates
  }

  private mutating func components(_ value: Int) throws(WireError) -> [(cid: Int, diff: FragmentDiff)] {
    guard tape.kind(value) == .object else { throw wrong("components must be an object", at: value) }
    var components: [(cid: Int, diff: FragmentDiff)] = []
    components.reserveCapacity(tape.count(value))
    var members = WireDecoder.Members(of: value, on: tape)
    while let (name, value) = try members.next(in: self) {
      guard case .index(let cid) = name else {
        try ignoreKey(of: value)
        continue
      }
      guard cid > 0 else { throw wrong("a component id must be a whole number ≥ 1", at: value) }
      // A component's tree does not reference templates of the update (LiveView ≥ 1.1), only its
      // own.
      components.append((cid, try fragment(value, templates: nil, place: .component)))
    }
    if !members.isAscending { components.sort { $0.cid < $1.cid } }
    return components
  }
}
