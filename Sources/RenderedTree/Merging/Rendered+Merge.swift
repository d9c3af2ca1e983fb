/// Merging an update. A scoped update merges in place, a full update into a copy.
extension Rendered {
  /// The result of one merge.
  package struct Merge: Sendable {
    package var touched = TouchedSlots()
    /// The changes of the tree, in the order in which they were made.
    package var edits: [Edit] = []
    /// The previous stream operations that no page has shown yet, by the position of their edit in
    /// `edits`.
    var oldStreams: [Int: StreamOperation] = [:]
    /// The next identity of the tree before the merge.
    var firstIdentity: Int
  }

  /// Makes the tree of a mount.
  ///
  /// - Throws: ``MergeError`` if the update is not complete.
  package init(mounting diff: Diff) throws(MergeError) {
    var touched = TouchedSlots()
    self = try Rendered(mounting: diff, of: 0, nextIdentity: 1, touched: &touched)
  }

  /// The tree after `diff`, and the slots that the diff names. The receiver does not change.
  ///
  /// A root with statics replaces the whole tree, with all components. Anything else is merged by
  /// ``merge(_:)``.
  ///
  /// - Client: `mergeDiff`, `mutableMerge` in `rendered.js`, 1.0+. Origin: phoenix_live_view#1393.
  /// - Throws: ``MergeError`` with the place in the diff.
  /// - Complexity: O(*slots of the diff* + *sizes of the lists that it names*). These lists are
  ///   copied.
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

  /// Merges a diff without statics at its root in place. If it throws, the tree is unchanged.
  ///
  /// - Throws: ``MergeError`` with the place in the diff.
  /// - Complexity: O(*slots of the diff*), if the tree's storage is uniquely referenced.
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

  /// Makes the tree of an update that is complete.
  ///
  /// - Parameter size: the size of the root as JSON. 0 at a mount, where the size is not needed,
  ///   and computing it would take as long as decoding.
  private init(
    mounting diff: Diff, of size: Int, nextIdentity: Int, touched: inout TouchedSlots
  ) throws(MergeError) {
    var merger = Merger(nextIdentity: nextIdentity)
    guard case .fragment(let root) = try merger.make(diff.root) else {
      throw .nothingToMergeInto(at: SlotPath(), found: "a comprehension, which cannot be a page")
    }
    merger.touch(at: merger.touched.root, isChanged: true, isWhole: true, bytes: size)
    var components: [Int: Fragment] = [:]
    try merger.merge(diff.components, into: &components)
    self.init(root: root, components: components, nextIdentity: merger.nextIdentity)
    touched = merger.touched
  }
}
