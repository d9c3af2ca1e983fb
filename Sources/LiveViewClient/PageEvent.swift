public import LiveViewMirror

/// An event of a page. ``LivePage/events`` yields it.
public enum PageEvent: Sendable {
  /// A page was loaded. All its views are new.
  case loaded(PageLoadInfo)
  /// A frame of a LiveView's channel that was sent or received.
  case frame(TrafficFrame)
  /// The socket is open.
  case connected
  /// The socket was closed, or could not be opened. It connects again after `retry`; with `nil` it
  /// does not connect again.
  case disconnected(reason: DisconnectReason, retry: Duration?)
  /// A view was joined, or joined again.
  case joined(view: String, isMain: Bool, version: String?)
  /// An update of a view was applied to its document.
  case updated(view: String, ChangeRecord)
  /// A view could not be joined, or has crashed. The client joins again, except if `isFinal`.
  case failed(view: String, reason: String, isFinal: Bool)
  /// A view was left.
  case left(view: String)
  /// The page has another address.
  case moved(url: String)
  /// The page has another title.
  case title(String)
  /// A frame does not fit the view's document, which is unchanged.
  case rejected(view: String, UpdateError)
  /// A page is loaded after a delay: because the server redirects to it, or to recover from a
  /// failure. When the server begins to redirect in a loop, the reason of one event says so.
  /// `isRecovery` means that a page load, a join or the connection has failed.
  case loading(url: String, reason: String, after: Duration, isRecovery: Bool)
  /// The page has ended because of an error; `nil` if the program has closed it.
  case ended(ClientError?)
}

/// A loaded page.
public struct PageLoadInfo: Sendable, Hashable {
  /// The id of the page load: `[a-z0-9]{1,64}`, different for each load.
  public var id: String
  /// The address after redirects.
  public var url: String
  /// The title of the page.
  public var title: String?
  /// The ids of the elements of its LiveViews without a parent.
  public var views: [String]
}

/// A frame of a LiveView's channel.
public struct TrafficFrame: Sendable, Hashable {
  /// The time at which the frame was sent or received, in milliseconds since 1970.
  public var at: Int64
  /// Whether the client has sent the frame.
  public var isSent: Bool
  /// The frame as UTF-8.
  public var bytes: [UInt8]
  /// The frame as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
