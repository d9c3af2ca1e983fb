/// A client of Phoenix LiveView 1.0 to 1.2 without a browser.
///
/// The client loads a page, joins every LiveView in it, and follows the views as LiveView's own
/// client does: nested and sticky views, patches, live navigation, redirects, crashes, lost
/// connections and restarts of the server.
///
/// ```swift
/// let page = try await LiveViewClient().open("http://localhost:4000/counter")
/// for await event in page.events {
///   if case .joined(let view, _, _) = event {
///     try await page.push("inc", to: view)
///     print(await page.markup(of: view) ?? "")
///   }
/// }
/// ```
///
/// The client runs no JavaScript: hooks, `JS` commands and uploads do nothing. LiveView's client
/// recovers the input of forms after a crash; this client has no input to recover.
/// `liveview-mirror-attach` follows pages with this client.
public struct LiveViewClient: Sendable {
  /// The options of all pages that this client opens.
  public var options: ClientOptions

  /// Creates a client.
  public init(options: ClientOptions = ClientOptions()) { self.options = options }

  /// Loads a page and begins to join its LiveViews.
  ///
  /// - Parameter url: a complete `http` or `https` URL.
  /// - Returns: the page. Its ``LivePage/events`` are kept from the load on, so none is missed.
  /// - Throws: ``ClientError`` if the page cannot be loaded or has no LiveView.
  public func open(_ url: String) async throws(ClientError) -> LivePage {
    try await ClientSession(options, for: url).open(url)
  }
}
