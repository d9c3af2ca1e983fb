/// `phx-mounted` with `JS.ignore_attributes` (LiveView ≥ 1.1), the only command that affects later
/// patches. ``patch(_:to:streams:)`` executes the commands as its last step. At a resumption
/// (``PatchRules/isResumption``), the patch begins with the commands in the document, because the
/// client has executed these before.
extension ClientPatch {
  /// Executes `phx-mounted` at the end of a patch. A join executes the commands of the whole view;
  /// later patches execute those of added elements.
  mutating func executeMounted() throws(ClientFailure) {
    for node in rules.isJoin ? nodes() : added { try executeMounted(node) }
  }

  /// Executes the commands of a view that the client has joined earlier.
  mutating func protectIgnoredAttributes() {
    for node in nodes() { try? executeMounted(node) }
  }

  /// - Client: `maybeMounted` in `view.js`, 1.1+. Origin: none known.
  /// - Client: `exec_ignore_attrs` in `js.js`, 1.1+. Origin: phoenix_live_view#3765.
  private mutating func executeMounted(_ node: PatchTree.Index) throws(ClientFailure) {
    guard let script = tree.element(node)?["phx-mounted"], script.contains("ignore_attrs"), isPresent(node) else {
      return
    }
    for command in IgnoreCommand.all(in: script) {
      for target in targets(of: command, from: node) {
        if rules.version.follows(.refusesIgnoredAttributes) { throw .ignoredAttributes }
        tree[target].state.ignored = command.names
      }
    }
  }

  private func targets(of command: IgnoreCommand, from node: PatchTree.Index) -> [PatchTree.Index] {
    switch command.target {
    case .itself: return [node]
    case .closest(let selector):
      let elements = PatchedElements(tree: tree, top: tree.isConnected(node, to: root) ? root : outside)
      return Selector(selector).flatMap { elements.closest($0, from: node) }.map { [$0] } ?? []
    case .inner(let selector): return all(selector, below: node)
    case .anywhere(let selector): return all(selector)
    }
  }

  private func all(_ selector: String, below top: PatchTree.Index? = nil) -> [PatchTree.Index] {
    guard let selector = Selector(selector) else { return [] }
    return [root, outside].flatMap { PatchedElements(tree: tree, top: $0).nodes(matching: selector, inside: top ?? $0) }
  }
}
