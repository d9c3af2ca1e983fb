extension Rendered {
  /// The maximum nesting of fragments, components and entries in a page.
  package static let maximumLevels = 1_000
  /// The maximum size of a page's markup, in bytes. A few components that each contain another one
  /// twice double it at every level.
  package static let maximumMarkup = 8 << 20
  /// The maximum number of fragments, components and entries in a page. It can double at every
  /// level even if there is no markup.
  package static let maximumFragments = 1 << 19

  /// Renders the whole page as plain markup.
  ///
  /// - Parameters:
  ///   - touched: the slots that the update refers to.
  ///   - skipped: the components and function components that are written without their content.
  /// - Throws: ``RenderError`` with the path in the tree.
  /// - Complexity: O(*markup*).
  package func render(
    marking touched: TouchedSlots = TouchedSlots(), skipping skipped: SkippedContent? = nil
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(components: components, touched: touched, skipping: skipped)
    try renderer.write(page: root, at: touched.root)
    return renderer.rendering
  }

  /// Renders the whole page as it was before an update.
  ///
  /// - Parameter touched: the slots that the update refers to.
  /// - Throws: ``RenderError`` with the path in the tree.
  /// - Complexity: O(*markup*).
  package func render(before touched: TouchedSlots) throws(RenderError) -> Rendering {
    var renderer = Renderer(partOf: self, depth: 0, marking: TouchedSlots.Index(touched, isBefore: true))
    try renderer.write(page: root, at: touched.root)
    return renderer.rendering
  }
}

extension Rendered {
  /// Renders one component by itself, with the same markup as in the page.
  ///
  /// - Parameter touched: the slots that the update refers to.
  /// - Throws: ``RenderError``, also if the component does not exist.
  package func render(
    component cid: Int, marking touched: TouchedSlots.Index = .none
  ) throws(RenderError) -> Rendering {
    var renderer = Renderer(partOf: self, depth: 0, marking: touched)
    try renderer.write(component: cid)
    return renderer.rendering
  }
}
