package import MarkupDocument
internal import MirrorSupport

/// The versions of LiveView of the server that renders a view and of the client that patches it. A
/// mount reads them from its message, and they are valid until the next mount. Snapshots and
/// journals store ``rawValue``.
package struct LiveViewVersions: Sendable, Hashable, RawRepresentable {
  /// The version that the page reports of its client; `nil` if it reports none.
  package let reported: ClientVersion?
  /// The version that the server's join reply names; `nil` if it names none.
  package let server: String?

  /// - Parameters:
  ///   - client: the version that the page reports of its client; `nil` if it reports none. The
  ///     server's version is used then.
  ///   - server: the version that the server names. A text that is not a version is ignored.
  init(client: String?, server: String?) {
    reported = client.flatMap(ClientVersion.init(rawValue:))
    self.server = server.flatMap { ClientVersion(rawValue: $0) == nil ? nil : $0.beginning(Self.longestName) }
  }

  /// The maximum number of characters of a version that is kept.
  private static let longestName = 32

  /// The version of the client whose rules the mirror follows: the reported one; otherwise that of
  /// the server; otherwise the newest one.
  package var client: ClientVersion { reported ?? server.map(ClientVersion.init(liveView:)) ?? .newest }

  /// Whether the page or the server has named its version.
  var areKnown: Bool { reported != nil || server != nil }

  /// Reads the form of ``rawValue``: the reported version, or `-` if none was reported. If the
  /// server's version is known, a space and that version follow.
  package init?(rawValue: String) {
    let names = rawValue.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = names.first, name == "-" || ClientVersion(rawValue: name) != nil else { return nil }
    self.init(client: name, server: names.count > 1 ? names[1] : nil)
  }

  package var rawValue: String { [reported?.rawValue ?? "-", server].compactMap(\.self).joined(separator: " ") }

  /// Whether the client and the server have different minor versions. They then speak different
  /// protocols: a client of 1.2 with a server of 1.1 freezes at the first move in a list.
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
