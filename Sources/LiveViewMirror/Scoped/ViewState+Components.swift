internal import MarkupDocument
internal import RenderedTree

extension ViewState {
  /// Those of some components that no page shows.
  ///
  /// - Complexity: O(*components that are asked for*), where instances know their nodes; else that of rendering the page.
  func notShown(_ components: [Int]) -> [Int] {
    guard isLinked else {
      let shown = (try? rendered.render())?.components ?? Set(components)
      return components.filter { !shown.contains($0) }
    }
    return components.filter { cid in
      // A component that is shown has a place, or is known to have none of its own.
      guard document.nodes(ofComponent: cid).isEmpty else { return false }
      guard let site = rendered.components[cid]?.site else { return true }
      return site.edge(.left) != nil
    }
  }
}
