extension Rendered {
  /// The tree of a mount.
  ///
  /// - Throws: ``MergeError`` where the update is not whole.
  package init(mounting diff: Diff) throws(MergeError) {
    var touched = TouchedSlots()
    self = try Rendered(mounting: diff, nextIdentity: 1, touched: &touched)
  }

  /// The tree after `diff`, and the slots that the diff names. The receiver stays as it is.
  ///
  /// The rules are those of LiveView's own client (`rendered.js`, 1.0 to 1.2): what brings statics replaces what was
  /// there, everything else is merged into it; moves read the tree as it was before the diff; a root with statics drops
  /// all components.
  ///
  /// - Throws: ``MergeError`` with the place in the diff.
  /// - Complexity: O(*slots of the diff* + *entries of the comprehensions that it names*).
  package func merging(_ diff: Diff) throws(MergeError) -> (rendered: Rendered, touched: TouchedSlots) {
    var touched = TouchedSlots()
    if diff.root.statics != nil {
      let rendered = try Rendered(mounting: diff, nextIdentity: nextIdentity, touched: &touched)
      return (rendered, touched)
    }
    var merger = Merger(nextIdentity: nextIdentity)
    var rendered = self
    try merger.merge(diff.root, into: &rendered.root, at: merger.touched.root)
    rendered.components = try merger.merge(diff.components, into: components)
    rendered.nextIdentity = merger.nextIdentity
    return (rendered, merger.touched)
  }

  private init(mounting diff: Diff, nextIdentity: Int, touched: inout TouchedSlots) throws(MergeError) {
    var merger = Merger(nextIdentity: nextIdentity)
    guard case .fragment(let root) = try merger.make(diff.root) else {
      throw .nothingToMergeInto(at: SlotPath(), found: "a comprehension, which cannot be a page,")
    }
    merger.touched.touch(SlotPath(), at: merger.touched.root, isChanged: true, bytes: diff.root.size)
    let components = try merger.merge(diff.components, into: [:])
    self.init(root: root, components: components, nextIdentity: merger.nextIdentity)
    touched = merger.touched
  }
}
