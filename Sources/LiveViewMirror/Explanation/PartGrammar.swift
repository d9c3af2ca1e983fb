internal import MirrorSupport

/// The grammar of updates: the meaning of a value by its place, for LiveView 1.0, 1.1 and 1.2.
/// `docs/update-process.md` lists the keys.
///
/// The update process has checked the update already. A value of an unexpected type has no children here.
struct PartGrammar {
  /// The place of a value, which determines its meaning.
  enum Place {
    case update(isMount: Bool)
    /// A fragment or a comprehension in a slot.
    case slot
    case component(Int)
    /// An entry of `k`, or of `d`.
    case keyedEntry(Int), entry(Int)
    case keyed, entries
    case components, templates
    case template(Int)
    case statics
    /// A number `s` of a component.
    case clone
    case stream, insert, delete, reset
    case events, event, reply, title
    case count, moves, root, unknown
  }

  struct Child {
    /// The steps of the path from the part around it.
    var steps: [String]
    var value: JSONPositions.Value
    var place: Place

    /// Whether there can be many such children.
    var isNumbered: Bool {
      switch place {
      case .slot, .keyedEntry, .entry, .component, .template, .insert, .delete, .event, .unknown: true
      default: false
      }
    }
  }

  let json: JSONPositions

  /// The longest name of an unknown key in a path, in bytes.
  static let longestName = 32

  /// The children of a value, in the order of the JSON.
  ///
  /// - Complexity: O(*members* or *elements*).
  func children(of value: JSONPositions.Value, at place: Place) -> [Child] {
    switch place {
    case .update, .slot, .component, .keyed, .components, .templates: named(value, at: place)
    case .keyedEntry:
      // `[former index, diff]`
      json.kind(of: value) == .array
        ? json.elements(of: value).dropFirst().prefix(1).flatMap { diff in
          named(diff, at: .slot).map { Child(steps: ["1"] + $0.steps, value: $0.value, place: $0.place) }
        } : named(value, at: .slot)
    case .entry: numbered(value) { _ in .slot }
    case .entries: numbered(value) { .entry($0) }
    case .events: numbered(value) { _ in .event }
    case .stream: stream(value)
    case .template, .statics, .clone, .insert, .delete, .reset, .event, .reply, .title, .count, .moves, .root, .unknown:
      []
    }
  }

  /// The place of a member by its name and the place of its object.
  ///
  /// - Parameter isNumber: whether the value of the member is a number.
  static func place(ofMember name: String, isNumber: Bool, in object: Place) -> Place {
    var (isTop, isComponent) = (false, false)
    switch object {
    case .keyed:
      if let index = index(name) { return .keyedEntry(index) }
      return name == "kc" ? .count : name == "km" ? .moves : .unknown
    case .components: return index(name).map { .component($0) } ?? .unknown
    case .templates: return index(name).map { .template($0) } ?? .unknown
    case .update: isTop = true
    case .component: isComponent = true
    default: break
    }
    return switch name {
    case _ where index(name) != nil: .slot
    case "s": isNumber && isComponent ? .clone : .statics
    case "p": .templates
    case "k": .keyed
    case "d": .entries
    case "stream": .stream
    case "r": isTop && !isNumber ? .reply : .root
    case "c" where isTop: .components
    case "e" where isTop: .events
    case "t" where isTop: .title
    default: .unknown
    }
  }

  /// `[ref, inserts, deleted ids, true for a reset]`.
  private func stream(_ value: JSONPositions.Value) -> [Child] {
    let fields = json.elements(of: value)
    guard fields.count >= 3 else { return [] }
    return json.elements(of: fields[1]).enumerated().map { Child(steps: ["1", "\($0)"], value: $1, place: .insert) }
      + json.elements(of: fields[2]).enumerated().map { Child(steps: ["2", "\($0)"], value: $1, place: .delete) }
      + fields.dropFirst(3).prefix(1).filter(json.isTrue).map { Child(steps: ["3"], value: $0, place: .reset) }
  }

  private func numbered(_ array: JSONPositions.Value, _ place: (Int) -> Place) -> [Child] {
    json.elements(of: array).enumerated().map { Child(steps: ["\($0)"], value: $1, place: place($0)) }
  }

  private func named(_ object: JSONPositions.Value, at place: Place) -> [Child] {
    json.members(of: object).map { name, value in
      let name = json.string(name, atMost: Self.longestName) ?? ""
      let place = Self.place(ofMember: name, isNumber: json.kind(of: value) == .number, in: place)
      return Child(steps: [name], value: value, place: place)
    }
  }

  /// The index that a name denotes: up to 9 digits without a leading zero, as `WireDecoder` reads it.
  private static func index(_ name: String) -> Int? {
    let digits = name.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.first != 0x30 || digits.count == 1
    else { return nil }
    return Int(name)
  }
}
