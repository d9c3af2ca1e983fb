internal import LiveViewMirror
internal import MirrorSupport

/// Finds and removes subscriptions that are held by other mirrors with the same journal.
/// ``SubscriptionRoutes`` uses it, because a client's request for a subscription may arrive at any
/// of these mirrors.
///
/// A request to another mirror is one line: `all VIEW`, `find VIEW ID` or `remove VIEW ID`. The
/// response has the JSON texts of the subscriptions, with commas between them, or `{}` for a
/// removed one. It is empty if the other mirror has no such subscription.
struct SharedSubscriptions {
  let views: LiveViews

  private static let topic = "subscriptions"
  private static let patience = Duration.seconds(1)

  /// The id of a mirror's first subscription. A random number of 32 bits above 20 bits for counting
  /// keeps it far from the ids of other mirrors. Together they have 52 bits, so JSON numbers are
  /// exact.
  static var randomID: Int { Int.random(in: 1..<(1 << 32)) << 20 | 1 }

  /// Responds to the requests of other mirrors.
  func respond(for subscriptions: Subscriptions) {
    views.handlePeerRequests(Self.topic) { request in
      let words = request.split(separator: " ").map(String.init)
      guard words.count >= 2 else { return "" }
      let (view, id) = (words[1], words.count > 2 ? Int(words[2]) : nil)
      switch (words[0], id) {
      case ("all", nil):
        return subscriptions.all(of: view).map { String(decoding: $0.json.bytes, as: UTF8.self) }.joined(separator: ",")
      case ("find", let id?):
        return subscriptions.find(id, of: view).map { String(decoding: $0.json.bytes, as: UTF8.self) } ?? ""
      case ("remove", let id?): return subscriptions.remove(id, of: view) ? "{}" : ""
      default: return ""
      }
    }
  }

  func all(of view: String) -> [JSON] { request("all \(view)") }
  func find(_ id: Int, of view: String) -> JSON? { request("find \(view) \(id)") { !$0.isEmpty }.first }
  func remove(_ id: Int, of view: String) -> Bool { !request("remove \(view) \(id)") { !$0.isEmpty }.isEmpty }

  private func request(_ request: String, until isLast: @escaping (String) -> Bool = { _ in false }) -> [JSON] {
    views.requestFromPeers(Self.topic, request, within: Self.patience, until: isLast).filter { !$0.isEmpty }.map {
      JSON.json($0)
    }
  }
}
