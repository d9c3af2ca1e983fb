internal import RenderedTree

/// Which streams an update emptied after they were shown: their entries live on in the document alone.
///
/// What a page showed can be told only while it is there; so it is noted, and whoever merges the same diff again later
/// forgets the same.
package struct ForgottenStreams: Sendable {
  /// The components that were shown.
  var components: Set<Int>
  /// Whether the page was looked at as a whole, and not only the places that the diff named.
  var isWhole: Bool
}

extension Rendered {
  /// Empties the streams that were rendered, if any was.
  ///
  /// - Returns: what it emptied; `nil` where no stream was rendered.
  mutating func forgetStreamEntries(after renderings: [Rendering]) -> ForgottenStreams? {
    if renderings.allSatisfy(\.streams.isEmpty) { return nil }
    let shown = renderings.reduce(into: Set()) { $0.formUnion($1.components) }
    forgetStreamEntries(in: shown)
    return ForgottenStreams(components: shown, isWhole: true)
  }

  /// The same for what one merge has brought, and for components that were shown with it.
  mutating func forgetStreamEntries(of merge: Merge, shownIn components: Set<Int>) -> ForgottenStreams {
    var forgotten = ForgottenStreams(components: components, isWhole: false)
    // Only a tree that is linked knows whether a component has a place.
    for edit in merge.edits {
      if let cid = edit.component, self.components[cid]?.site != nil { forgotten.components.insert(cid) }
    }
    forgetStreamEntries(of: merge, showing: components)
    return forgotten
  }

  /// Merges what was merged once before, and forgets what was forgotten then.
  mutating func remerge(_ diff: Diff, forgetting forgotten: ForgottenStreams?) throws(MergeError) {
    if diff.root.statics != nil {
      self = try merging(diff).rendered
    } else {
      let merge = try merge(diff)
      if let forgotten, !forgotten.isWhole { forgetStreamEntries(of: merge, showing: forgotten.components) }
    }
    if let forgotten, forgotten.isWhole { forgetStreamEntries(in: forgotten.components) }
  }
}

extension Edit {
  /// The component that it is in, or that it is.
  fileprivate var component: Int? {
    switch self {
    case .slot(let path, _, _, _), .stream(let path, _, _), .entries(let path, _, _): path.component
    case .component(let cid, _, _): cid
    }
  }
}
