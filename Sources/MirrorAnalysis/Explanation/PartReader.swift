internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// Finds the parts in the JSON of an update, by ``DiffGrammar``. ``PartList`` and
/// ``PartDescription`` read the update with it.
///
/// The update process has checked the update already. A value of an unexpected type has no children
/// here.
struct PartReader {
  struct Child {
    /// The steps of the path from the part around it.
    var steps: [String]
    var value: JSONPositions.Value
    var part: DiffPart
    /// The number in the name of a member, or the index of an element; otherwise 0.
    var index = 0

    /// Whether there can be many such children.
    var isNumbered: Bool {
      switch part {
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
  func children(of value: JSONPositions.Value, at part: DiffPart) -> [Child] {
    if json.kind(of: value) == .object { return part.hasKeys ? members(of: value, at: part) : [] }
    return json.elements(of: value).enumerated().flatMap { index, element -> [Child] in
      guard let inner = DiffGrammar.part(ofElement: index, in: part) else { return [] }
      if inner == .reset, !json.isTrue(element) { return [] }
      // The children of a transparent element, such as the inserts of a stream, take its place.
      if !inner.isTransparent { return [Child(steps: ["\(index)"], value: element, part: inner, index: index)] }
      return children(of: element, at: inner).map { child in
        var child = child
        child.steps.insert("\(index)", at: 0)
        return child
      }
    }
  }

  private func members(of object: JSONPositions.Value, at part: DiffPart) -> [Child] {
    json.members(of: object).map { name, value in
      let step = json.string(name, atMost: Self.longestName) ?? ""
      let name = DiffName(step)
      var child = Child(
        steps: [step], value: value,
        part: DiffGrammar.part(of: name, isNumber: json.kind(of: value) == .number, in: part))
      if case .index(let index) = name { child.index = index }
      return child
    }
  }
}
