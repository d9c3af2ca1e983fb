internal import MarkupDocument
internal import RenderedTree

/// The components that the page does not show. The tree keeps a hidden component until the server
/// reports it as destroyed (`cids_destroyed`), because the server may send diffs for it. The
/// coordinator calls ``destroy(_:)`` for such a report.
extension ViewState {
  /// Removes components that the server has destroyed. A component that the page still shows is
  /// kept, because without this component the page could not be rendered.
  ///
  /// - Complexity: O(*components*) if the view is linked; otherwise that of rendering the page.
  mutating func destroy(_ components: [Int]) {
    isFedWithFrames = true
    // Ids of components that the tree does not have are ignored. So the log never notes more ids
    // than the server has sent components.
    let destroyed = hidden(components).filter { rendered.components[$0] != nil }
    if destroyed.isEmpty { return }
    let removed = rendered.removeComponents(destroyed)
    size.remove(removed)
    if !log.note(destroyed: destroyed) { checkpoint?.destroy(destroyed) }
  }

  /// Those of the given components that the page does not show.
  package func hidden(_ components: [Int]) -> [Int] {
    guard leftovers != nil else {
      let shown = (try? rendered.render())?.components ?? Set(components)
      return components.filter { !shown.contains($0) }
    }
    return components.filter { cid in
      guard document.nodes(ofComponent: cid).isEmpty else { return false }
      // A site without a first node belongs to a component that is shown, but whose position is not
      // known.
      guard let site = rendered.components[cid]?.site else { return true }
      return site.boundaryNode(.left) != nil
    }
  }
}
