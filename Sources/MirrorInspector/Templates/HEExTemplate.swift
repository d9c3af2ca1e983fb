internal import MarkupDocument
internal import MirrorAnalysis
internal import RenderedTree

/// A HEEx template of the app, divided into constant texts and expressions as LiveView's compiler
/// divides it.
///
/// ``TemplateExcerpts`` uses it to find the expression that wrote a slot. An expression is found
/// only if the texts of the template, and of each block around the expression, are equal to the
/// statics of the Rendered. If the compiler does something that ``HEExParser`` does not know, the
/// texts differ, and nothing is found.
struct HEExTemplate {
  /// The markup that has its own statics in the Rendered: the whole template, a block, or the
  /// content of a component.
  struct Body {
    var statics = StaticTexts()
    var slots: [Slot] = []
  }

  /// An expression.
  struct Slot {
    /// The range of the expression's bytes in the file.
    var code: Range<Int>
    /// The markup inside the expression: the element with `:for` or `:if`, or each clause of `<%=
    /// if … do %>`.
    var bodies: [Body] = []
  }

  /// The content of a component.
  struct Content {
    /// `inner_block`, or the name of the slot.
    var name: String
    /// The line of the tag of the component or of the slot.
    var line: Int
    var body: Body
  }

  /// The first line: that of `~H`.
  var line: Int
  var root: Body
  var contents: [Content]

  /// The expression that wrote a slot.
  ///
  /// - Returns: `nil` unless at each level exactly one block has the texts of the Rendered.
  /// - Complexity: O(*bytes of the compared texts*).
  func code(of slot: SlotTemplates) -> Range<Int>? {
    var candidates: [Body] =
      if slot.function.hasPrefix(":") {
        contents.filter { ":\($0.name)" == slot.function && $0.line == slot.location.line }.map(\.body)
      } else {
        slot.location.line == line ? [root] : []
      }
    var code: Range<Int>?
    for level in slot.levels {
      let rendered = StaticTexts(level.statics.parts)
      candidates.removeAll { !$0.statics.matches(rendered) }
      guard candidates.count == 1, candidates[0].slots.indices.contains(level.slot) else { return nil }
      code = candidates[0].slots[level.slot].code
      candidates = candidates[0].slots[level.slot].bodies
    }
    return code
  }
}
