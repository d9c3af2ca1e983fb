/// Rendering whole pages and components, within limits. Full updates use it.
extension Rendered {
  /// The maximum nesting of fragments, components and entries in a page.
  package static let maximumLevels = 1_000
  /// The maximum size of a page's markup, in bytes. Components that each contain another one twice
  /// double the size at every level.
  package static let maximumMarkup = 8 << 20
  /// The maximum number of fragments, components and entries in a page. The number can double at
  /// every level even if there is no markup.
  package static let maximumFragments = 1 << 19

  /// Renders the whole page as plain markup.
  ///
  /// - Parameters:
  ///   - touched: the slots of an update whose ranges in the markup are noted.
  ///   - skipped: the components and function components that are written without their content.
  /// - Throws: ``RenderError`` with the path in the tree.
  /// - Complexity: O(*markup*).
  package func render(
    marking touched: TouchedSlots.Index = .none, skipping skipped: SkippedContent? = nil
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(partOf: self, marking: touched, skipping: skipped)
    try renderer.write(page: root)
    return renderer.rendering
  }
}

extension Rendered {
  /// Renders one component by itself, with the same markup as in the page.
  ///
  /// - Parameter touched: the slots of an update whose ranges in the markup are noted.
  /// - Throws: ``RenderError``, also if the component does not exist.
  package func render(
    component cid: Int, marking touched: TouchedSlots.Index = .none
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(partOf: self, marking: touched)
    try renderer.write(component: cid)
    return renderer.rendering
  }
}
