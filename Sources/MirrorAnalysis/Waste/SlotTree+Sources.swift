internal import MarkupDocument
internal import RenderedTree

/// Finds the places of template slots. Each template is read once.
///
/// ``WasteReport``, ``CostTotals`` and ``Insight`` are made with it. Its copy of the slot tree
/// keeps the templates alive, so their identifiers stay unique.
struct TemplateSources {
  private var templates: [ObjectIdentifier: AnnotatedTemplate] = [:]
  private let tree: SlotTree

  init(of tree: SlotTree) { self.tree = tree }

  /// - Parameter node: a node of the tree.
  /// - Complexity: O(*steps*), and O(*bytes*) for each template that was not read before.
  mutating func source(of node: SlotTree.Node) -> TemplateSource {
    // The name of a list's entries, such as `2.k.*`, has the line of the entries' template.
    source(of: node, isList: tree.isPartOfList(node))
  }

  private mutating func source(of node: SlotTree.Node, isList: Bool) -> TemplateSource {
    var (found, current, isList) = (AnnotatedTemplate.Position(), node, isList)
    while current > SlotTree.root, !found.isComplete {
      let entry = tree.entries[Int(current)]
      if entry.step <= SlotTree.Code.component { break }
      if entry.step >= 0, let statics = tree.entries[Int(entry.parent)].statics {
        if isList, let own = entry.statics { found.add(template(own).beginning) }
        isList = false
        let positions = template(statics).positions
        if positions.indices.contains(entry.step) { found.add(positions[entry.step]) }
      }
      current = entry.parent
    }
    if current == node, let statics = tree.entries[Int(node)].statics { found.add(template(statics).whole) }
    return TemplateSource(
      location: found.line.flatMap { line in found.file.map { SourceLocation(file: $0, line: line) } },
      function: found.function, element: found.element)
  }

  /// The source of the slot that holds a list: the line of its entries' template.
  mutating func list(_ node: SlotTree.Node) -> TemplateSource { source(of: node, isList: true) }

  private mutating func template(_ statics: Statics) -> AnnotatedTemplate {
    if let known = templates[ObjectIdentifier(statics)] { return known }
    let template = AnnotatedTemplate(statics)
    templates[ObjectIdentifier(statics)] = template
    return template
  }
}

extension SlotTree {
  /// Whether a node is a step inside of a list, but not in an entry: `k`, `k.*`, `k.kc`, `stream`.
  fileprivate func isPartOfList(_ node: Node) -> Bool {
    let step = entries[Int(node)].step
    return step < 0 && step > Code.component
  }
}

extension AnnotatedTemplate.Position {
  fileprivate var isComplete: Bool { line != nil && file != nil && function != nil }

  /// Fills the properties that are still unknown.
  ///
  /// - Parameter outer: the position in the template around the current one.
  fileprivate mutating func add(_ outer: Self) {
    if line == nil { (line, file, element) = (outer.line, outer.file, outer.element) }
    if function == nil { function = outer.function }
    if line != nil, file == nil { file = outer.functionFile }
  }
}
