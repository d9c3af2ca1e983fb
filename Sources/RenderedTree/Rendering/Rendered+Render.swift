extension Rendered {
  /// A page may nest this many fragments and components.
  package static let maximumLevels = 1_000
  /// A page may have this many bytes of markup: components that are named twice can double at every level.
  package static let maximumMarkup = 8 << 20
  /// A page may have this many fragments, components and entries, since they double with or without markup.
  package static let maximumFragments = 1 << 19

  /// The whole page as plain markup.
  ///
  /// - Parameters:
  ///   - touched: what the update names.
  ///   - skipped: what is written without its content.
  /// - Throws: ``RenderError`` with the place in the tree.
  /// - Complexity: O(*markup*).
  package func render(
    marking touched: TouchedSlots = TouchedSlots(), skipping skipped: SkippedContent? = nil
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(components: components, touched: touched, skipping: skipped)
    try renderer.write(page: root, at: touched.root)
    return renderer.rendering
  }
}

extension Rendered {
  /// One component by itself, as it would stand in the page.
  ///
  /// - Parameter touched: what the update names.
  /// - Throws: ``RenderError``, also where there is no such component.
  package func render(
    component cid: Int, marking touched: TouchedSlots.Index = .none
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(partOf: self, level: 0, marking: touched)
    try renderer.write(component: cid)
    return renderer.rendering
  }
}
