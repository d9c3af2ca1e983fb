internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// `/views/{view}/subscriptions`: subscribers that a script creates to see which signals a node
/// sends. ``Inspector`` adds these routes to its router.
struct SubscriptionRoutes {
  let views: LiveViews
  let subscriptions: Subscriptions
  /// The subscriptions at other mirrors.
  private let others: SharedSubscriptions

  /// The maximum number of characters of a label.
  static let longestLabel = 200

  init(views: LiveViews, subscriptions: Subscriptions) {
    (self.views, self.subscriptions) = (views, subscriptions)
    others = SharedSubscriptions(views: views)
    others.respond(for: subscriptions)
  }

  func add(to router: inout Router) {
    router.on(.post, "/views/{view}/subscriptions", create)
    router.on(.get, "/views/{view}/subscriptions", list)
    router.on(.get, "/views/{view}/subscriptions/{id}", show)
    router.on(.delete, "/views/{view}/subscriptions/{id}", remove)
  }

  private func create(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try coordinator(of: request)
    let body = try JSONBody(request.body, of: ["node", "children", "label"])
    guard let node = try body.number("node", of: "a node", from: 1) else {
      throw JSONBody.wrong("", "node is missing: the number of the node to subscribe to")
    }
    let hasChildren = try body.bool("children") ?? false
    let label = try body.text("label", longest: Self.longestLabel)
    let epoch = try views.state(of: view).epoch
    do throws(Subscriptions.Refusal) {
      let subscription = try subscriptions.add(
        to: NodeRef(epoch: epoch, number: node), in: view, hasChildren: hasChildren, label: label)
      var response = HTTPResponse.json(subscription.json.bytes, status: .created)
      response.headers["Location"] = "/views/\(view.id)/subscriptions/\(subscription.id)"
      return response
    } catch {
      switch error {
      case .unknownNode:
        throw HTTPError(.unknownNode, "View \"\(view.id)\" has no node \(node) in epoch \(epoch) now.")
      case .tooManyChildren(let count):
        throw HTTPError(
          .invalidBody,
          "Node \(node) has \(count) children; a subscription follows at most \(subscriptions.followed.limitOfOne).",
          pointer: "/children")
      case .noRoomForChildren(let count):
        throw HTTPError(
          .tooMany,
          "The subscriptions follow \(subscriptions.followed.count) of at most \(subscriptions.followed.limit) children, "
            + "which leaves no room for \(count) more: delete a subscription, or wait until one ends.",
          headers: ["Retry-After": "5"])
      case .full:
        throw HTTPError(
          .tooMany,
          "There are \(subscriptions.limit) subscriptions, which is the limit: delete one, or wait until one ends.",
          headers: ["Retry-After": "5"])
      }
    }
  }

  private func list(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try coordinator(of: request)
    let all = subscriptions.all(of: view.id).map(\.json) + others.all(of: view.id)
    return .json(JSON.object([("subscriptions", .array(all))]).bytes)
  }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try coordinator(of: request)
    guard let id = try id(in: request),
      let subscription = subscriptions.find(id, of: view.id)?.json ?? others.find(id, of: view.id)
    else { throw try unknown(request) }
    return .json(subscription.bytes)
  }

  private func remove(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try coordinator(of: request)
    guard let id = try id(in: request), subscriptions.remove(id, of: view.id) || others.remove(id, of: view.id)
    else { throw try unknown(request) }
    return HTTPResponse(status: .noContent)
  }

  private func coordinator(of request: HTTPRequest) throws(HTTPError) -> LiveViewCoordinator {
    let view = try views.mounted(try request.parameter("view"))
    try request.requireCurrent(try views.state(of: view).epoch, of: view.id)
    return view
  }

  private func id(in request: HTTPRequest) throws(HTTPError) -> Int? { Int(try request.parameter("id")) }

  private func unknown(_ request: HTTPRequest) throws(HTTPError) -> HTTPError {
    HTTPError(
      .unknownSubscription,
      "There is no subscription \(try request.parameter("id")) of this view. It ends when its node is removed.")
  }
}

extension Subscription {
  var json: JSON {
    let received = received
    return [
      "id": .integer(id), "view": .string(view), "epoch": .integer(node.epoch), "node": node.json,
      "children": .bool(hasChildren), "label": JSON(label), "created_at": .string(Timestamp.text(createdAt)),
      "nodes": .integer(nodes), "not_followed": .integer(notFollowed), "notified": .integer(received.count),
      "last_version": JSON(received.lastVersion),
    ]
  }
}
