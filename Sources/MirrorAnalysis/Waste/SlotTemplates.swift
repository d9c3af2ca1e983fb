internal import LiveViewMirror
package import MarkupDocument
package import RenderedTree

/// The templates around a slot within one function component: the function's own template, then
/// those of the blocks in it (`:for`, `:if`, `<%= if … do %>`), outermost first.
///
/// The inspector compares them with the app's file, and so finds the expression that wrote the
/// slot.
package struct SlotTemplates: Hashable, Sendable {
  /// One template, and the number of its slot that contains the next template. At the last level,
  /// this slot has the value.
  package struct Level: Hashable, Sendable {
    package let statics: Statics
    package let slot: Int

    package static func == (a: Self, b: Self) -> Bool { a.statics === b.statics && a.slot == b.slot }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(statics))
      hasher.combine(slot)
    }
  }

  /// `AppWeb.CartLive.render`, or `:inner_block` for the content of a component's slot.
  package let function: String
  /// The place that the annotation of the function names.
  package let location: SourceLocation
  package let levels: [Level]
}

extension Rendered {
  /// The templates around a slot that a change set names, such as `1.k.4.0.3`.
  ///
  /// - Returns: `nil` if no function around the slot has an annotation, if the Rendered does not
  ///   have the slot, and for an ambiguous name: the step `1` after an entry is either slot 1 of
  ///   the entry or the extra step of a moved entry.
  /// - Complexity: O(*steps* + *bytes of the first annotation of each template*).
  package func templates(ofSlot name: String) -> SlotTemplates? {
    var (walk, levels) = (TemplateWalk(of: self), [SlotTemplates.Level]())
    let steps = name.split(separator: ".").map { step in Int(step).map { .index($0) } ?? SlotPath.Step.key(String(step))
    }
    for (position, step) in steps.enumerated() {
      if walk.isLost { return nil }
      if walk.isAtEntry, step == .index(1), position + 1 < steps.count {
        // The changes of a moved entry, unless slot 1 of the entry has slots, too.
        guard walk.hasTemplate(in: 1) == false else { return nil }
        continue
      }
      if walk.isAtSlots, case .index(let slot) = step, let statics = walk.statics {
        guard slot >= 0, slot < statics.slotCount else { return nil }
        levels.append(.init(statics: statics, slot: slot))
      }
      walk.enter(step, in: self)
    }
    for start in levels.indices.reversed() {
      guard let (function, location) = levels[start].statics.functionAnnotation else { continue }
      return SlotTemplates(function: function, location: location, levels: Array(levels[start...]))
    }
    return nil
  }
}

extension Statics {
  /// The annotation of the function whose output begins the template.
  fileprivate var functionAnnotation: (name: String, location: SourceLocation)? {
    guard let first = parts.first, first.utf8.starts(with: "<!-- <".utf8), let end = first.firstRange(of: "-->"),
      let location = SourceLocation(annotation: String(first[..<end.lowerBound].dropFirst(4)))
    else { return nil }
    return (String(first.dropFirst(6).prefix { $0 != ">" }), location)
  }
}
