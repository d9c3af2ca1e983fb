internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// Keeps the page loads, and the places of views in them. `POST /frames?page=` and
/// `POST /pages/{page}` write them, and the lists of views and pages read them.
///
/// The id of a view is `TOPIC~PAGE`. Feeds, links and journals have such ids, so their form must
/// not change.
extension LiveViews {
  /// Whether a text can be a page's id: `[A-Za-z0-9._-]{1,64}`.
  package static func isValid(page id: String) -> Bool {
    id.utf8.count <= 64 && isValid(id: id) && !id.utf8.contains { ":~".utf8.contains($0) }
  }

  /// The id of the view of a topic in a page load.
  package static func view(of topic: String, in page: String) -> String { "\(topic)~\(page)" }

  /// The topic of a view's channel.
  ///
  /// - Parameter page: the page load that the view belongs to; `nil` for a view that was fed
  ///   without one.
  package static func topic(of view: String, in page: String?) -> String {
    page.map { String(view.dropLast($0.utf8.count + 1)) } ?? view
  }

  // MARK: - Feeding

  /// Opens the page load of an input, unless it is known.
  func open(_ page: PageFeedParameters) {
    let url = page.url.map(filter.text)
    changeDirectory { _ = $0.pages.open(page.id, url: url, at: page.openedAt ?? clock.now()) }
  }

  /// Changes a page as its feed announces it. A page that had closed is open again.
  ///
  /// - Returns: whether the page is new.
  package func announce(_ page: String, _ announcement: PageLoad.Announcement) -> Bool {
    var announcement = announcement
    announcement.url = announcement.url.map(filter.text)
    announcement.title = announcement.title.map(filter.text)
    return changeDirectory { $0.pages.announce(page, announcement, at: clock.now()) }
  }

  /// Ends a page. Its views stay readable, with the status ``ViewStatus/closed``, until they are
  /// evicted.
  ///
  /// - Parameter time: in milliseconds since 1970; `nil` for now.
  /// - Returns: whether there is such a page.
  package func close(page: String, at time: Int64? = nil) -> Bool {
    changeDirectory { $0.pages.close(page, at: time ?? clock.now()) }
  }

  // MARK: - Reading

  /// A page load with the present status of its views.
  package struct PageLoadReport: Sendable {
    package var page: PageLoad
    /// In the order of their first frames.
    package var views: [ViewReport]
  }

  /// A view's place and status.
  package struct ViewReport: Sendable {
    package var id: String
    package var life: ViewLife
    /// The view whose document contains this view's element.
    package var parent: String?
    /// The oldest version that is kept; `nil` for a view without a document, because its join was
    /// refused.
    package var firstVersion: Int? = 0
  }

  /// The pages in the order in which they were opened.
  ///
  /// - Complexity: for each page O(*n*²), where *n* is the number of its views.
  package var pages: [PageLoadReport] {
    directory.withLock { directory in directory.pages.all.map { ($0, directory.pages.lives(of: $0.views)) } }.map(
      report)
  }

  /// The page with an id; `nil` for an unknown page.
  package func page(_ id: String) -> PageLoadReport? {
    directory.withLock { directory in directory.pages[id].map { ($0, directory.pages.lives(of: $0.views)) } }.map(
      report)
  }

  /// The place and status of mounted views, in the given order.
  package func reports(of views: [String]) -> [ViewReport] {
    let lives = directory.withLock { $0.pages.lives(of: views) }
    var parents: [String: String] = [:]
    for (page, siblings) in Dictionary(grouping: lives, by: \.1.page) {
      parents.merge(self.parents(of: siblings.map(\.0), in: page)) { first, _ in first }
    }
    return lives.map { id, life in ViewReport(id: id, life: life, parent: parents[id]) }
  }

  /// The page and status of a view, without its parent.
  package func life(of view: String) -> ViewLife { directory.withLock { $0.pages.life(of: view) } }

  /// The place and status of a mounted view.
  package func report(of view: String) -> ViewReport {
    let (siblings, page) = siblings(of: view)
    return ViewReport(id: view, life: life(of: view), parent: parents(of: siblings, in: page)[view])
  }

  /// The views of the same page, including the view itself. For a view without a page, all views
  /// without a page.
  private func siblings(of view: String) -> (views: [String], page: String?) {
    directory.withLock { directory in
      let page = directory.pages.life(of: view).page
      let views =
        page.flatMap { directory.pages[$0]?.views }
        ?? directory.pages.viewsWithoutPage(directory.views.map(\.id))
      return (views, page)
    }
  }

  private func report(_ page: PageLoad, _ lives: [(String, ViewLife)]) -> PageLoadReport {
    let parents = parents(of: lives.map(\.0), in: page.id)
    return PageLoadReport(
      page: page,
      views: lives.map { id, life in
        ViewReport(id: id, life: life, parent: parents[id], firstVersion: firstVersion(of: id))
      })
  }

  private func firstVersion(of view: String) -> Int? {
    let state = directory.withLock { $0[view] }
    return state?.view.map { $0.view?.firstVersion } ?? state?.unloaded?.row.summary?.firstVersion
  }

  /// For each nested view the view whose document contains its element. The element of the view
  /// `lv:kid` has the id `kid`.
  private func parents(of views: [String], in page: String?) -> [String: String] {
    var parents: [String: String] = [:]
    /// In documents of a hostile feed, several elements can have the same id. A view could then be
    /// listed inside of its own child, so this is checked before a parent is noted.
    func isInside(_ view: String, _ ancestor: String) -> Bool {
      var next = Optional(view)
      while let here = next {
        if here == ancestor { return true }
        next = parents[here]
      }
      return false
    }
    let children = views.filter { $0.hasPrefix("lv:") }.map { (view: $0, id: Self.elementID(of: $0, in: page)) }
    let viewsByID = Dictionary(grouping: children, by: \.id)
    for parent in views {
      guard let view = find(parent) else { continue }
      func note(_ child: String) {
        if child != parent, parents[child] == nil, !isInside(parent, child) { parents[child] = parent }
      }
      view.reading { document in
        // Search by the shorter list: a page can have many small views.
        if document.count < children.count {
          for id in document.elementIDs { for child in viewsByID[id] ?? [] { note(child.view) } }
        } else {
          for child in children where document.node(withID: child.id) != nil { note(child.view) }
        }
      }
    }
    if journal != nil { addKnown(&parents, of: views, in: page) }
    return parents
  }

  /// The id of a view's element. That of the view `lv:kid` is `kid`.
  private static func elementID(of view: String, in page: String?) -> String {
    String(topic(of: view, in: page).dropFirst(3))
  }

  /// Adds the parents that are not loaded. The row of such a view in the journal lists its nested
  /// views.
  private func addKnown(_ parents: inout [String: String], of views: [String], in page: String?) {
    let children = Dictionary(
      views.filter { $0.hasPrefix("lv:") }.map { (Self.elementID(of: $0, in: page), $0) },
      uniquingKeysWith: { first, _ in first })
    directory.withLock { directory in
      for parent in views {
        for nested in directory[parent]?.unloaded?.row.nested ?? [] where nested.isThere {
          guard let child = children[nested.id], child != parent, parents[child] == nil else { continue }
          parents[child] = parent
        }
      }
    }
  }

  /// Adds a nested view to the row of its parent, so that the parent is known while it is not
  /// loaded. Called with a journal after each mount.
  func noteParent(of view: String) {
    let (siblings, page) = siblings(of: view)
    let id = Self.elementID(of: view, in: page)
    guard view.hasPrefix("lv:"),
      let parent = siblings.first(where: { sibling in
        sibling != view
          && find(sibling)?.reading { $0.node(withID: id) != nil } == true
      })
    else { return }
    self[parent]?.note(nested: id)
  }
}
