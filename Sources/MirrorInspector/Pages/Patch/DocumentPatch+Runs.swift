internal import MarkupDocument
internal import MirrorViews

extension DocumentPatch {
  /// Writes a run for each place between two kept elements at which a node arrived, a text changed,
  /// or a text was removed. The initializer calls it.
  mutating func writeRuns(_ touched: TouchedChildren, _ document: Document) throws(Refusal) {
    var writer = RunWriter(document: document, touched: touched)
    for number in touched.arrived.union(touched.texts).sorted() {
      guard let child = document.treeIndex(of: NodeRef(epoch: epoch, number: number)),
        let parent = document.tree.parent(of: child), !touched.new.contains(document.ref(parent).number)
      else { continue }
      if let run = writer.run(around: child, under: parent) { try append(run) }
    }
    for number in touched.gaps.keys.sorted() where !touched.new.contains(number) {
      guard let parent = document.treeIndex(of: NodeRef(epoch: epoch, number: number)) else { continue }
      var index = 0
      var previous: NodeTree.Index?
      for gap in touched.gaps[number] ?? [] {
        while index < gap, let next = previous.map(document.tree.next) ?? document.tree.firstChild(of: parent) {
          (previous, index) = (next, index + 1)
        }
        if let run = writer.run(after: previous, under: parent) { try append(run) }
      }
    }
    runs.sort { ($0.parent, $0.after ?? 0) < ($1.parent, $1.after ?? 0) }
  }
}

/// Writes each run of a document once.
private struct RunWriter {
  let document: Document
  let touched: TouchedChildren
  /// The nodes in runs that are written, by storage index.
  private var written: Set<NodeTree.Index> = []
  /// The places at which a run is written.
  private var starts: Set<Start> = []

  private enum Start: Hashable {
    case after(NodeTree.Index)
    case atStart(of: NodeTree.Index)
  }

  init(document: Document, touched: TouchedChildren) { (self.document, self.touched) = (document, touched) }

  private var tree: NodeTree { document.tree }

  /// Whether a node is an element that has kept its place. Such elements separate runs.
  private func isKept(_ node: NodeTree.Index) -> Bool {
    tree[node].element != nil && !touched.arrived.contains(document.ref(node).number)
  }

  /// The run that contains a child; `nil` if the run is already written.
  mutating func run(around child: NodeTree.Index, under parent: NodeTree.Index) -> DocumentPatch.Run? {
    // The child is a text or a node that has arrived, not a kept element, so exactly one run
    // contains it.
    if written.contains(child) { return nil }
    return run(after: tree.previous(of: child), under: parent)
  }

  /// The run that contains the place after `child`, or the start of the parent if `child` is `nil`.
  /// Returns `nil` if the run is already written.
  mutating func run(after child: NodeTree.Index?, under parent: NodeTree.Index) -> DocumentPatch.Run? {
    var start = child
    while let node = start, !isKept(node) {
      if written.contains(node) { return nil }
      start = tree.previous(of: node)
    }
    guard starts.insert(start.map { .after($0) } ?? .atStart(of: parent)).inserted else { return nil }
    var run = DocumentPatch.Run(parent: number(parent), after: start.map(number))
    var next = start.map(tree.next) ?? tree.firstChild(of: parent)
    while let node = next, !isKept(node) {
      written.insert(node)
      append(node, to: &run)
      next = tree.next(of: node)
    }
    run.before = next.map(number)
    return run
  }

  private func number(_ node: NodeTree.Index) -> Int { document.ref(node).number }

  private func append(_ node: NodeTree.Index, to run: inout DocumentPatch.Run) {
    switch tree[node] {
    case .text(let text):
      if text.isEmpty { return }
      // A parser makes one text of two adjacent texts, so the page has one text here.
      if case .text(let before) = run.content.last {
        run.content[run.content.count - 1] = .text(before + text)
      } else {
        run.content.append(.text(text))
      }
    case .element where !touched.new.contains(number(node)): run.content.append(.node(number(node)))
    case .element: run.content.append(.markup(markup(node), node: number(node)))
    case .comment, .processingInstruction, .root: run.content.append(.markup(markup(node), node: nil))
    }
  }

  private func markup(_ node: NodeTree.Index) -> String {
    document.numberedMarkup(of: document.ref(node), ElementNumber.attribute)
  }
}
