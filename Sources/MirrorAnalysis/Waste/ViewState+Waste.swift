package import LiveViewMirror
internal import MarkupDocument
internal import RenderedTree

extension ViewState {
  /// How LiveView identifies the entries of a list that a record of this epoch names, as far as the
  /// epoch has shown it.
  ///
  /// - Complexity: O(*steps*).
  package func listKind(named name: String) -> ListKind {
    let totals = totals
    return totals.lists[totals.tree.node(named: name)]?.kind ?? .undecided
  }

  /// For slots that a record of this epoch names, their lines and the function components whose
  /// templates have these slots. Each template is read once. The inspector shows the sources beside
  /// a diff, and `check` names them for lists that were sent again.
  ///
  /// ```swift
  /// view.templateSources(of: ["1.k.4.0.3"])   // lib/live/basic.ex:146, Rec.TodoDebugLive.item
  /// ```
  ///
  /// A slot in a start tag has the line of the tag. A slot that calls a function component has the
  /// line of the call. Any other slot has the line of the element around it.
  ///
  /// - Returns: an empty source, or no source, for a slot without debug annotations (see
  ///   ``hasAnnotations``).
  /// - Complexity: O(*steps of all slots* + *bytes of the templates on the paths*).
  package func templateSources(of slotPaths: some Sequence<String>) -> [String: TemplateSource] {
    let tree = totals.tree
    var (sources, untracked) = (TemplateSources(of: tree), SlotTree())
    var (found, others): ([String: TemplateSource], [String: SlotTree.Node]) = ([:], [:])
    for name in slotPaths where found[name] == nil && others[name] == nil {
      let node = tree.node(named: name)
      if node != SlotTree.none {
        found[name] = sources.source(of: node)
      } else {
        others[name] = untrackedSlot(named: name, in: &untracked)
      }
    }
    sources = TemplateSources(of: untracked)
    for (name, node) in others where node != SlotTree.none { found[name] = sources.source(of: node) }
    return found
  }

  /// Whether the app has HEEx's debug annotations. ``WasteReport/annotationHint`` says how to
  /// enable them.
  ///
  /// - Complexity: O(*bytes of the page's template and of up to 64 components' templates*).
  package var hasAnnotations: Bool {
    if AnnotatedTemplate(rendered.root.statics).isAnnotated { return true }
    return rendered.components.keys.sorted().prefix(64).contains { cid in
      rendered.components[cid].map { AnnotatedTemplate($0.statics).isAnnotated } ?? false
    }
  }

  /// Finds a slot that is not in ``totals``, because no diff has sent it or because ``totals`` has
  /// no room for more slots.
  ///
  /// - Parameter tree: the tree of such slots. This function adds the slot to it.
  private func untrackedSlot(named name: String, in tree: inout SlotTree) -> SlotTree.Node {
    var (node, path) = (SlotTree.root, SlotPath())
    for step in name.split(separator: ".").prefix(2 * SlotTree.maximumDepth) {
      path.steps.append(Int(step).map { .index($0) } ?? .key(String(step)))
      guard let last = path.steps.last else { break }
      node = tree.node(last, after: node, in: rendered, at: { path })
    }
    return node
  }
}
