/// One decoded frame of a LiveView's channel, or an update without a frame. ``WireDecoder`` makes
/// it, and `LiveViews` passes frames to the view of their topic.
package struct WireMessage: Sendable {
  /// The content of a message.
  package enum Content: Sendable {
    /// The reply to a join: the view's page.
    indirect case rendered(Diff)
    indirect case diff(Diff)
    /// The server's reply to `cids_destroyed`: the components that it has destroyed.
    case destroyed(components: [Int])
    /// The client's push that begins a join. The reply contains the page.
    case join(JoinPush)
    /// A client's push that the server answers, such as a click.
    case event(ClientEvent)
    /// The server's reply with status "error", and the reason that it names. If the message has the
    /// ``ref`` of a join, the server refuses this join.
    case refused(reason: String?)
    /// Any other frame: empty replies, navigation, the channel's own events.
    case other(event: String)
  }

  /// The maximum number of bytes of ``joinRef`` and ``ref``.
  static let longestReference = 256
  /// The maximum number of bytes of an address, a title and a reason, which are kept as long as
  /// their view. Longer ones are cut off.
  package static let longestText = 8 << 10

  package var content: Content
  /// The join that the frame belongs to; `nil` for a broadcast, and for an update without a frame.
  package var joinRef: String?
  /// The number by which the client finds the reply to its push; `nil` for a message that the
  /// server sent by itself.
  package var ref: String?
  /// When the client sent or received the frame, in milliseconds since 1970; `nil` if the feed does
  /// not say so.
  package var at: Double?
  /// The frames that the client sent just before this frame, if the input is a recording that lists
  /// them: joins and events.
  package var sentBefore: [WireMessage] = []
  /// The topic or view that the message refers to, if any.
  package var topic: String?
  /// The new address of the page, if the message sets one.
  package var move: NavigationMessage?
  /// The view's element according to a join reply.
  package var container: ViewContainer?
  /// The dialect that the input names, such as `html` or `native`. Not validated.
  package var dialect: String?
  /// The version of LiveView in a join reply, such as `1.1.33`.
  package var liveViewVersion: String?
  /// The version of LiveView's client in the page, as its feed states it.
  package var clientVersion: String?
  /// What an export or a resumption says about the update; `nil` for other lines of a feed.
  package var exported: ExportedUpdate?
  /// The path of the update in the input, for the errors of later stages.
  package var place: SlotPath = SlotPath()
  /// The text of the update as it was received, with its white space and escapes, but without its
  /// frame.
  package var json: JSONText = JSONText("")
  /// The time of decoding this message: its share, by bytes, of the time for the whole input.
  package var microseconds = 0
}

/// A client's `phx_join` push. Only those keys are decoded that determine what the view's element
/// contains before the join, the address of the page (LiveView 1.0 to 1.2), and its format
/// (LiveView Native 0.4).
///
///     ["4", "4", "lv:phx-F1", "phx_join", {"url": "…", "params": {"_mounts": 0, …}, "session": "…", "static": "…"}]
package struct JoinPush: Sendable, Hashable {
  /// Why the client joins.
  package enum Origin: Sendable, Hashable {
    /// `_mounts` is greater than 0: the view was joined before in this page, for example before the
    /// connection was lost.
    case rejoin
    /// `url`: the main view of a page that has just been loaded.
    case load
    /// `redirect`: live navigation.
    case navigation
    /// No `url` and no `redirect`: a nested view. `static` is a token if the server rendered the
    /// view with the page, and `null` if the view's parent added it later.
    case nested(isStatic: Bool)
    /// None of these keys is present.
    case unknown
  }

  package var origin: Origin
  /// The address of the page, which only the push of its main view has.
  package var url: String?

  /// `_format` in the parameters: the format of the markup that the client requests, such as
  /// `swiftui`. A browser sends none.
  package var format: String?

  package init(origin: Origin, url: String? = nil, format: String? = nil) {
    self.origin = origin
    self.url = url
    self.format = format
  }
}

/// A client's push that the server answers with a diff, and so the possible cause of an update
/// (LiveView 1.0 to 1.2).
///
///     ["4", "7", "lv:phx-F1", "event", {"type": "click", "event": "inc", "value": {"value": ""}, "cid": 3}]
///     ["4", "8", "lv:phx-F1", "live_patch", {"url": "http://localhost:4000/items?page=2"}]
package struct ClientEvent: Sendable, Hashable {
  /// The name of the event, such as `inc`. For a push that is not an `event` frame, the name of the
  /// frame: `live_patch`, `progress` or `allow_upload`.
  package var name: String
  /// The kind of the event, such as `click`, `form` or `keyup`; `nil` for a push that is not an
  /// `event` frame.
  package var type: String?
  /// The value of the event as compact JSON: an object, or a string with an encoded form. `nil` if
  /// it takes more than ``longestValue`` bytes.
  package var value: JSONText?
  /// The component that handles the event; `nil` for the view.
  package var target: Int?

  package init(name: String, type: String?, value: JSONText?, target: Int?) {
    self.name = name
    self.type = type
    self.value = value
    self.target = target
  }

  /// The maximum number of bytes of ``value``.
  package static let longestValue = 16 << 10
  /// The maximum number of bytes of ``name`` and ``type``. The rest of a longer one is cut off.
  package static let longestName = 256
}

/// A message about the address of the page (LiveView 1.0 to 1.2). Both sides send `live_patch`: the
/// server with `to`, the client with `url`.
///
///     [null, null, "lv:phx-F1", "live_redirect", {"to": "/items", "kind": "push"}]
package struct NavigationMessage: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The same view shows another address.
    case patch = "live_patch"
    /// Another view of the same session is mounted in the page, without loading the page again.
    case navigation = "live_redirect"
    /// The browser loads another page.
    case load = "redirect"
  }

  package var kind: Kind
  /// The new address: a URL, or a path of the same host.
  package var address: String
}

/// The element of a view, as a join reply describes it:
/// `"container": ["article", {"class": "page"}]` (LiveView 1.0 to 1.2).
package struct ViewContainer: Sendable, Hashable {
  package var tag: String
  /// The attributes that the LiveView gives to its element, in the order of the reply.
  package var attributes: [Attribute]

  package init(tag: String, attributes: [Attribute]) { (self.tag, self.attributes) = (tag, attributes) }

  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }
}
