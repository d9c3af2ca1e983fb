internal import MarkupDocument

/// A page that a server has rendered, and the LiveViews in it. ``PageLoader`` makes it, and
/// ``PageSession`` joins its LiveViews.
///
/// LiveView 1.0 to 1.2 mark the element of a LiveView by `data-phx-session`. The page's main
/// LiveView has `data-phx-main`, a nested one `data-phx-parent-id`, and a sticky one
/// `data-phx-sticky`.
struct FetchedPage: Sendable {
  /// The address after redirects.
  let address: WebAddress
  let title: String?
  let csrfToken: String?
  /// The path of the socket, if the page states one: LiveDashboard has `<html phx-socket="/live">`.
  let socketPath: String?
  /// The addresses of `phx-track-static` elements.
  let trackedAssets: [String]
  /// The LiveViews without a parent, in document order.
  let roots: [ViewElement]
  /// The static tokens (`data-phx-static`) of all LiveViews, by the ids of their elements.
  let statics: [String: String]
  /// Whether the page is larger than the parser reads.
  let isTruncated: Bool

  init(_ markup: [UInt8], at address: WebAddress) {
    self.address = address
    let result = MarkupParser.parse(markup, dialect: .html)
    isTruncated = result.isTruncated
    socketPath = Self.socketPath(in: markup)
    var (title, csrfToken): (String?, String?) = (nil, nil)
    var (assets, roots): ([String], [ViewElement]) = ([], [])
    var statics: [String: String] = [:]
    for node in result.tree.preorder() {
      guard let element = result.tree[node].element else { continue }
      if element.tag == "title", title == nil {
        title = result.tree.children(of: node).compactMap { result.tree[$0].text }.joined().trimmed
      }
      if element.tag == "meta", element["name"] == "csrf-token" { csrfToken = csrfToken ?? element["content"] }
      // LiveView Native's layouts have an element `csrf-token` instead of a `meta`.
      if element.tag == "csrf-token" { csrfToken = csrfToken ?? element["value"] }
      if element["phx-track-static"] != nil, let reference = element["src"] ?? element["href"] {
        assets.append(address.resolving(reference)?.description ?? reference)
      }
      guard let view = ViewElement(element) else { continue }
      if let token = view.staticToken { statics[view.id] = token }
      if view.parent == nil { roots.append(view) }
    }
    (self.title, self.csrfToken, trackedAssets) = (title, csrfToken, assets)
    (self.roots, self.statics) = (roots, statics)
  }

  /// The path in the attribute `phx-socket` of the `html` tag. It is searched in the text, because
  /// the parser reads the page as the content of an element and drops that tag.
  private static func socketPath(in markup: [UInt8]) -> String? {
    let head = String(decoding: markup.prefix(4_096), as: UTF8.self)
    guard let tag = head.firstRange(of: "<html") ?? head.firstRange(of: "<HTML"),
      let end = head[tag.upperBound...].firstIndex(of: ">"),
      let name = head[tag.upperBound..<end].firstRange(of: "phx-socket=\"")
    else { return nil }
    let value = head[name.upperBound...].prefix { $0 != "\"" }
    return value.hasPrefix("/") ? String(value) : nil
  }
}

/// The element of a LiveView.
struct ViewElement: Sendable, Hashable {
  let id: String
  let session: String
  /// `data-phx-static`; `nil` if the attribute is missing or empty. It is empty if an update of the
  /// parent has added the nested view.
  let staticToken: String?
  let parent: String?
  let isMain: Bool
  let isSticky: Bool

  /// - Returns: `nil` if the element has no `data-phx-session` or no `id`, so that it is not of a
  ///   LiveView.
  init?(_ element: Element) {
    guard let session = element["data-phx-session"], let id = element.id else { return nil }
    self.id = id
    self.session = session
    staticToken = element["data-phx-static"].flatMap { $0.isEmpty ? nil : $0 }
    parent = element["data-phx-parent-id"].flatMap { $0.isEmpty ? nil : $0 }
    isMain = element["data-phx-main"] != nil
    isSticky = element["data-phx-sticky"] != nil
  }
}

extension NodeContent {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension String {
  fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
