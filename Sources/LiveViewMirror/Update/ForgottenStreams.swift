internal import RenderedTree

/// Which streams an update has emptied in the tree: those of the shown ``components``, and those
/// that the diff named or, if ``isWhole``, that the page has. From then on, only the document has
/// their entries.
///
/// Each update records the value in the `TreeEffect` of its log entry. `Checkpoint` merges the same
/// diffs again, when it evicts entries or rebuilds a version.
///
/// Which streams were shown is known only during the update. With the recorded value, the same
/// streams are forgotten when the diff is merged again.
package struct ForgottenStreams: Sendable {
  /// The components that were shown.
  var components: Set<Int>
  /// Whether the whole page was rendered, and not only the parts that the diff named.
  var isWhole: Bool
}

extension Rendered {
  /// Empties the streams that were rendered.
  ///
  /// - Returns: the forgotten streams; `nil` if no stream was rendered.
  mutating func forgetStreamEntries(after renderings: [Rendering]) -> ForgottenStreams? {
    if renderings.allSatisfy(\.streams.isEmpty) { return nil }
    let shown = renderings.reduce(into: Set()) { $0.formUnion($1.components) }
    forgetStreamEntries(in: shown)
    return ForgottenStreams(components: shown, isWhole: true)
  }

  /// Empties the streams that one merge has changed, and those of the given components.
  mutating func forgetStreamEntries(of merge: Merge, shownIn components: Set<Int>) -> ForgottenStreams {
    var forgotten = ForgottenStreams(components: components, isWhole: false)
    // A component with a `Site` is shown in the document. These components are recorded now,
    // because the tree into which the diff is merged again does not have the sites.
    for edit in merge.edits {
      if let cid = edit.component, self.components[cid]?.site != nil { forgotten.components.insert(cid) }
    }
    forgetStreamEntries(of: merge, showing: components)
    return forgotten
  }

  /// Merges a diff that was merged before, and forgets the same streams as after the first merge.
  mutating func remerge(_ diff: Diff, forgetting forgotten: ForgottenStreams?) throws(MergeError) {
    if diff.root.statics != nil {
      self = try merging(diff).rendered
    } else {
      let merge = try merge(diff)
      // Sites are ignored. A restored tree still has the sites of the version of its snapshot, not
      // those of later versions.
      if let forgotten, !forgotten.isWhole {
        forgetStreamEntries(of: merge, showing: forgotten.components, hasSites: false)
      }
    }
    if let forgotten, forgotten.isWhole { forgetStreamEntries(in: forgotten.components) }
  }
}

extension Edit {
  /// The component that contains the edit, or that is the edit; `nil` for an edit outside of all
  /// components.
  fileprivate var component: Int? {
    switch self {
    case .slot(let path, _, _, _), .stream(let path, _, _), .entries(let path, _, _): path.component
    case .component(let cid, _, _): cid
    }
  }
}
