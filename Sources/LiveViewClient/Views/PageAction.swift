/// A step of a ``PageSession`` that its owner, ``LivePage``, carries out.
enum PageAction: Sendable {
  case connect
  case disconnect
  case send(String)
  case start(PageTimer, Duration)
  case cancel(PageTimer)
  /// Load a page. The session has ended.
  case load(PageRequest)
  /// The page cannot be followed. The session has ended.
  case fail(ClientError)
  case report(PageEvent)
  /// The answer to a push of the program.
  case answer(token: Int, Result<JSONSlice, ClientError>)
}

/// The timers that a ``PageSession`` asks ``LivePage`` to start; each runs at most once at a time.
enum PageTimer: Hashable, Sendable {
  case socket(ChannelSocket.Timer)
  /// The page is loaded again after a failure.
  case reload
  /// Ends the delay of a navigation that the server has requested and that is part of a loop.
  case navigation
}

/// The purpose of a push, which determines the use of its answer.
enum SessionPush: Sendable {
  /// A push of the program.
  case event(String)
  /// `live_patch`: the page then shows another address.
  case patch(url: String, link: Int)
  case willDestroy(components: [Int])
  case destroyed
}

/// A full load of a page.
struct PageRequest: Sendable, Hashable {
  /// The reason for a page load.
  enum Cause: Sendable, Hashable {
    /// The program has called ``LivePage/load(_:)``, or has followed a link without a live
    /// connection.
    case program
    case redirect
    /// The server has caused too many page loads and navigations in a short time.
    case loop
    /// The server does not accept the page's session any more.
    case staleSession
    /// The main view could not be joined.
    case refusedJoin(reason: String)
    /// The server has closed the socket, or has not answered.
    case failure
  }

  var url: String
  var cause: Cause
  /// The time to wait before the request.
  var delay = Duration.zero
  /// The cookie of the next request: the flash, or the status of a reload.
  var cookie: (name: String, value: String)? { cookieName.map { ($0, cookieValue) } }
  private var cookieName: String?
  private var cookieValue = ""

  init(_ url: String, because cause: Cause, flash: String? = nil, reloadToken: String? = nil) {
    self.url = url
    self.cause = cause
    if let reloadToken {
      (cookieName, cookieValue) = ("__phoenix_reload_status__", reloadToken)
    } else if let flash {
      (cookieName, cookieValue) = ("__phoenix_flash__", flash)
    }
  }
}
