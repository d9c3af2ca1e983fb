internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

extension LiveViews.PageReport {
  /// A page load of the contract.
  ///
  /// - Parameter isConnected: whether a carrier reads the events for the page.
  func json(isConnected: Bool) -> JSON {
    [
      "page": .string(page.id), "url": JSON(page.url), "title": JSON(page.title), "user_agent": JSON(page.userAgent),
      "client": JSON(page.client),
      "opened_at": .string(Timestamp.text(page.openedAt)), "closed_at": JSON(page.closedAt.map(Timestamp.text)),
      "carrier": .bool(page.hasCarrier || isConnected), "carrier_connected": .bool(isConnected),
      "lost": ["frames": .integer(page.lost.frames), "bytes": .integer(page.lost.bytes)],
      "views": .array(views.map { .object([("view", .string($0.id))] + $0.members) }),
    ]
  }
}

extension LiveViews.ViewReport {
  /// The members of a summary that are about the view's page and status.
  var members: [(String, JSON)] {
    [
      ("page", JSON(life.page)), ("parent", JSON(parent)), ("status", .string(life.status.rawValue)),
      ("resumed", .bool(life.isResumed)),
      ("refusal", JSON(life.refusal)), ("url", JSON(life.url)), ("container", life.container?.json ?? .null),
    ]
  }
}

extension ViewContainer {
  fileprivate var json: JSON {
    [
      "tag": .string(tag), "attributes": .object(attributes.map { ($0.name, .string($0.value)) }),
    ]
  }
}
