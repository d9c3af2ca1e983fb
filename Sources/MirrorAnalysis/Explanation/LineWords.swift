internal import LiveViewMirror
internal import MarkupDocument

/// Writes nodes as the lines of ``SideBySide``. ``RowWriter`` makes one for its lines.
struct LineWords {
  let form: SideBySide.Form
  /// The maximum number of characters of a line.
  let limit: Int
  /// Whether unchanged attributes that are seldom of interest are left out.
  let hidesSeldomOfInterest: Bool

  /// The line of a node of one document.
  ///
  /// - Parameter isEmpty: whether the node has no children. The line of an element without children
  ///   contains the end tag, too.
  func line(_ content: NodeContent, _ dialect: Dialect, isEmpty: Bool) -> String {
    cut(whole(content, dialect, isEmpty: isEmpty, besides: content), from: 0)
  }

  /// The two lines of a node of both documents. If they are too long, they begin shortly before
  /// their first difference.
  func lines(
    _ before: (content: NodeContent, dialect: Dialect), _ after: (content: NodeContent, dialect: Dialect),
    isEmpty: Bool, areEqual: Bool
  ) -> (before: String, after: String) {
    let new = whole(after.content, after.dialect, isEmpty: isEmpty, besides: before.content)
    if areEqual {
      let line = cut(new, from: 0)
      return (line, line)
    }
    let old = whole(before.content, before.dialect, isEmpty: isEmpty, besides: after.content)
    guard max(old.unicodeScalars.count, new.unicodeScalars.count) > limit else { return (old, new) }
    let same = zip(old.unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }.count
    let start = same > limit / 2 ? same - limit / 4 : 0
    return (cut(old, from: start), cut(new, from: start))
  }

  private func cut(_ text: String, from start: Int) -> String {
    let rest = text.unicodeScalars.dropFirst(start)
    let part = rest.prefix(limit)
    return (start > 0 ? "…" : "") + String(String.UnicodeScalarView(part)) + (part.endIndex < rest.endIndex ? "…" : "")
  }

  private func whole(_ content: NodeContent, _ dialect: Dialect, isEmpty: Bool, besides other: NodeContent) -> String {
    let content = hidesSeldomOfInterest ? reduced(content, besides: other) : content
    switch form {
    case .markup:
      var output = MarkupOutput(dialect: dialect)
      if output.open(content), isEmpty { output.close(content) }
      return output.string
    case .tree:
      switch content {
      case .element(let element):
        let attributes = element.attributes.filter { $0.name != "id" || $0.value.isEmpty }
        return ([DisplayName(content).description] + attributes.map { "\($0.name)=\"\($0.value)\"" }).joined(
          separator: " ")
      case .text(let text): return "\"\(text)\""
      case .comment, .processingInstruction, .root:
        var output = MarkupOutput(dialect: dialect)
        _ = output.open(content)
        return output.string
      }
    }
  }

  /// The content without those attributes that are seldom of interest and that are the same in the
  /// `other` version of the element.
  ///
  /// - Complexity: O(*attributes*).
  private func reduced(_ content: NodeContent, besides other: NodeContent) -> NodeContent {
    guard case .element(var element) = content else { return content }
    let equal = Set(other.element?.attributes.filter(\.isSeldomOfInterest) ?? [])
    element.attributes.removeAll { $0.isSeldomOfInterest && equal.contains($0) }
    return .element(element)
  }

  /// The end tag of an element with children; `nil` if the form has no end tags.
  func end(of content: NodeContent) -> String? {
    guard form == .markup, case .element(let element) = content else { return nil }
    return "</\(element.tag)>"
  }
}
