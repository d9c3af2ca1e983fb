public import MarkupDocument

/// The requests of a client, and its reactions to failures. ``LiveViewClient`` has one value for
/// all its pages.
public struct ClientOptions: Sendable {
  /// Headers of every request to the host of the opened URL. The headers of the connection and of
  /// the WebSocket's handshake belong to the client; ``LiveViewClient/open(_:)`` refuses them.
  public var headers: [(name: String, value: String)] = []
  /// Cookies, `name=value`, of every request to the host of the opened URL, until the server
  /// replaces them.
  public var cookies: [(name: String, value: String)] = []
  /// Whether certificates are accepted that no known authority has signed.
  public var acceptsAnyCertificate = false
  /// The path of the LiveView socket; `nil` for the path that the page states, or `/live`.
  public var socketPath: String?
  /// The format of LiveView Native, such as `swiftui`; `nil` for HTML.
  public var format: String?
  /// The dialect of the pages' markup.
  public var dialect: Dialect { isNative ? .native : .html }
  /// Whether the app is one of LiveView Native: its pages have native markup, and joins are sent in
  /// the form of LiveView Native's client. ``format`` does not imply it; set both.
  public var isNative = false
  /// More parameters of every join, such as those of
  /// `new LiveSocket("/live", Socket, {params: …})`.
  public var parameters: [(name: String, value: JSONValue)] = []
  /// The maximum number of page loads, and of connections, that are attempted before the first view
  /// is joined. Later failures are followed by new attempts without an end.
  public var firstAttempts = 3
  /// The delay before a page is loaded again after a failure. LiveView's client waits 5 to 10
  /// seconds.
  public var reloadDelay: ClosedRange<Duration> = .seconds(5) ... .seconds(10)
  /// The delay in place of ``reloadDelay`` from the tenth failure in a row on.
  public var longReloadDelay = Duration.seconds(30)
  /// The time to wait for a connection, and for each answer.
  public var timeout = Duration.seconds(15)
  /// The longest message and the longest page, in bytes.
  public var maximumMessage = 64 << 20
  /// The `User-Agent`.
  public var userAgent = "liveview-mirror"

  /// Creates options with the defaults of LiveView's client.
  public init() {}
}
