extension Rendered {
  /// What one merge did.
  package struct Merge: Sendable {
    package var touched = TouchedSlots()
    /// In the order in which they were done.
    package var edits: [Edit] = []
    /// By the position of their edit, what streams had to show before: those that no page has shown yet.
    var oldStreams: [Int: StreamOperation] = [:]
    var firstIdentity: Int
  }

  /// The tree of a mount.
  ///
  /// - Throws: ``MergeError`` where the update is not whole.
  package init(mounting diff: Diff) throws(MergeError) {
    var touched = TouchedSlots()
    self = try Rendered(mounting: diff, of: 0, nextIdentity: 1, touched: &touched)
  }

  /// The tree after `diff`, and the slots that the diff names. The receiver stays as it is.
  ///
  /// The rules are those of LiveView's own client (`rendered.js`, 1.0 to 1.2): what brings statics replaces what was
  /// there, everything else is merged into it; moves read the tree as it was before the diff; a root with statics drops
  /// all components.
  ///
  /// - Throws: ``MergeError`` with the place in the diff.
  /// - Complexity: O(*slots of the diff* + *the lists that it names*): those are copied.
  package func merging(_ diff: Diff) throws(MergeError) -> (rendered: Rendered, touched: TouchedSlots) {
    if diff.root.statics != nil {
      var touched = TouchedSlots()
      let rendered = try Rendered(
        mounting: diff, of: diff.root.size, nextIdentity: nextIdentity, touched: &touched)
      return (rendered, touched)
    }
    var rendered = self
    let merge = try rendered.merge(diff)
    return (rendered, merge.touched)
  }

  /// Merges a diff without statics at its root in place. After an error the tree is as before.
  ///
  /// - Throws: ``MergeError`` with the place in the diff.
  /// - Complexity: O(*slots of the diff*), where nobody else holds a copy of the tree.
  package mutating func merge(_ diff: Diff) throws(MergeError) -> Merge {
    var merger = Merger(nextIdentity: nextIdentity)
    let first = nextIdentity
    do throws(MergeError) {
      try merger.merge(diff.root, into: &root, at: merger.touched.root)
      try merger.merge(diff.components, into: &components)
    } catch {
      undo(Merge(edits: merger.edits, oldStreams: merger.oldStreams, firstIdentity: first))
      throw error
    }
    nextIdentity = merger.nextIdentity
    return Merge(
      touched: merger.touched, edits: merger.edits, oldStreams: merger.oldStreams, firstIdentity: first)
  }

  /// - Parameter size: of the root as JSON; counting it takes as long as reading it, and at a mount nobody asks.
  private init(
    mounting diff: Diff, of size: Int, nextIdentity: Int, touched: inout TouchedSlots
  ) throws(MergeError) {
    var merger = Merger(nextIdentity: nextIdentity)
    guard case .fragment(let root) = try merger.make(diff.root) else {
      throw .nothingToMergeInto(at: SlotPath(), found: "a comprehension, which cannot be a page,")
    }
    merger.touch(at: merger.touched.root, isChanged: true, isWhole: true, bytes: size)
    var components: [Int: Fragment] = [:]
    try merger.merge(diff.components, into: &components)
    self.init(root: root, components: components, nextIdentity: merger.nextIdentity)
    touched = merger.touched
  }
}
