package import MarkupDocument

/// The versions of LiveView that a view is rendered and patched by.
package struct LiveViewVersions: Sendable, Hashable, RawRepresentable {
  /// The client in the page. Its rules are followed.
  package let client: ClientVersion
  /// The version that the server's join reply names; `nil` if it names none.
  package let server: String?

  /// - Parameters:
  ///   - client: what the page says about its client; `nil` if it says nothing. The client is then taken to be that of the server.
  init(client: String?, server: String?) {
    self.client = client.flatMap(ClientVersion.init(rawValue:)) ?? server.map(ClientVersion.init(liveView:)) ?? .newest
    self.server = server
  }

  /// The client's version and, after a space, the server's.
  package init?(rawValue: String) {
    let names = rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = names.first, let client = ClientVersion(rawValue: name) else { return nil }
    self.client = client
    server = names.count > 1 ? names[1] : nil
  }

  package var rawValue: String { server.map { "\(client.rawValue) \($0)" } ?? client.rawValue }

  /// Whether the client and the server have different minor versions. They then speak different protocols: a client of 1.2 with a
  /// server of 1.1 freezes at the first move in a list.
  var areSkewed: Bool {
    guard let server = server.flatMap(ClientVersion.init(rawValue:)) else { return false }
    return (server.major, server.minor) != (client.major, client.minor)
  }

  /// The diagnostic of ``areSkewed``.
  var skew: [DocumentDiagnostic] {
    guard areSkewed, let server else { return [] }
    return [
      DocumentDiagnostic(
        code: "version-skew", node: nil,
        message: "the client in the page is LiveView \(client.rawValue), the server \(server)",
        subject: "")
    ]
  }
}
