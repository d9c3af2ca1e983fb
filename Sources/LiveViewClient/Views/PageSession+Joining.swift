internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// Joins of views: sends the push, and handles the server's answer. ``PageSession/start()`` joins
/// the roots, and updates of documents join nested views. The notices of ``ChannelSocket`` report
/// the answers.
extension PageSession {
  /// The number of failed joins after which a nested view is given up.
  static let maximumChildJoins = 3

  /// Joins a view without a parent, unless such a view with the element's id exists.
  mutating func joinRoot(_ element: ViewElement) {
    guard !views.contains(where: { $0.parent == nil && $0.id == element.id }) else { return }
    let key = add(element, staticToken: element.staticToken)
    // A sticky view is not mounted at the router, so it has no address.
    let address = location
    if !element.isSticky { self[key]?.address = address }
    if let channel = self[key]?.channel { socket.join(channel) }
  }

  /// Joins a nested view, unless it is joined already.
  mutating func joinChild(_ element: ViewElement, of parent: MountedView) {
    guard !views.contains(where: { $0.parent == parent.key && $0.id == element.id }) else { return }
    let key = add(
      element, parent: parent.key, joins: max(0, parent.joins - 1),
      staticToken: element.staticToken ?? statics[element.id])
    if let channel = self[key]?.channel { socket.join(channel) }
  }

  // MARK: - The push

  mutating func sendJoin(of channel: Int, ref: String) {
    guard let view = views.first(where: { $0.channel == channel }) else { return }
    let text = ChannelMessage.text(
      joinRef: ref, ref: ref, topic: view.topic, event: "phx_join", payload: joinPayload(of: view))
    self[view.key]?.attempts += 1
    self[view.key]?.isJoinPending = true
    // The coordinator also receives the join, because the join determines the content that the
    // view's element has before the answer.
    apply(Array(text.utf8), to: view)
    send(text)
  }

  /// The members in the order of LiveView's client. `sticky` is sent since 1.0.5, and `flash`
  /// depends on the version.
  private func joinPayload(of view: MountedView) -> String {
    var json = JSONWriter()
    json.object { json in
      if let address = view.address { json.member(view.isNavigation ? "redirect" : "url", address) }
      json.object("params") { json in writeParameters(of: view, to: &json) }
      json.member("session", view.element.session)
      json.member("static", view.staticToken)
      switch view.flash {
      case .token(let token): json.member("flash", token)
      case .none where !omitsNullFlash: json.null("flash")
      case .absent where options.isNative: json.null("flash")
      case .none, .absent: break
      }
      if !options.isNative { json.member("sticky", view.element.isSticky) }
    }
    return json.text
  }

  private func writeParameters(of view: MountedView, to json: inout JSONWriter) {
    if let token = page.csrfToken { json.member("_csrf_token", token) }
    for parameter in options.parameters { json.member(named: parameter.name) { $0.value(json: parameter.value.text) } }
    if !page.trackedAssets.isEmpty { json.array("_track_static", page.trackedAssets) { $0.value($1) } }
    json.member("_mounts", view.joins)
    json.member("_mount_attempts", view.attempts)
    if let referer = view.referer { json.member("_live_referer", referer) }
    if let format = options.format {
      json.member("_format", format)
      json.object("_interface") { json in
        for item in NativeInterface.parameters(of: format) { json.member(named: item.name, item.value) }
      }
    }
  }

  /// Whether a join without a flash has no member `flash`, as in LiveView 1.2. LiveView 1.0 and 1.1
  /// send `null`. As long as the server's version is not known, the member is left out.
  private var omitsNullFlash: Bool {
    guard let version = serverVersion else { return true }
    let parts = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    return parts.count == 2 && (parts[0], parts[1]) >= (1, 2)
  }

  // MARK: - The answer

  mutating func didJoin(_ key: Int, _ response: JSONSlice) {
    guard let view = self[key] else { return }
    hasJoined = true
    serverVersion = response["liveview_version"]?.string ?? serverVersion
    self[key]?.joins += 1
    self[key]?.attempts = 0
    self[key]?.flash = .none
    self[key]?.isJoinPending = false
    report(.joined(view: view.topic, isMain: view.element.isMain, version: serverVersion))
    if let record = apply(received, to: view) { didUpdate(key, record) }
    if let patch = response["live_patch"], let to = patch["to"]?.string { move(to: to) }
    if view.isNavigation, view.joins == 0, let address = view.address { commitLink(address) }
  }

  mutating func didTimeOut(_ key: Int) { joinFailed(key, reason: "no answer within 10 s") }

  mutating func wasRefused(_ key: Int, _ response: JSONSlice) {
    guard let view = self[key] else { return }
    let reason = response["reason"]?.string
    let address = (main ?? view).address ?? location
    switch reason {
    case "reload":
      // The server shows the error of the mount as a page.
      return recover(
        from: PageRequest(address, because: .refusedJoin(reason: "reload"), reloadToken: response["token"]?.string),
        isImmediate: failures < 3)
    case "stale", "unauthorized":
      let flash: String? = if case .token(let token) = view.flash { token } else { nil }
      return recover(from: PageRequest(address, because: .staleSession, flash: flash), isImmediate: failures < 3)
    default: break
    }
    let redirect = response["redirect"]
    let liveRedirect = response["live_redirect"]
    if redirect != nil || liveRedirect != nil { socket.leave(view.channel) }
    if let redirect { return self.redirect(redirect) }
    if let liveRedirect { return navigate(liveRedirect) }
    joinFailed(key, reason: reason ?? response.text)
  }

  private mutating func joinFailed(_ key: Int, reason: String) {
    guard let view = self[key] else { return }
    if view.element.isMain {
      report(.failed(view: view.topic, reason: reason, isFinal: false))
      if socket.isOpen { recover(from: PageRequest(pendingLink ?? location, because: .refusedJoin(reason: reason))) }
      return
    }
    let isFinal = view.attempts >= Self.maximumChildJoins
    report(.failed(view: view.topic, reason: reason, isFinal: isFinal))
    if isFinal {
      destroy(key)
      // The last view of a page without a main view was given up, so nothing is left to follow.
      if views.isEmpty { act(.fail(.refusedJoin(view: view.topic, url: location, reason: reason))) }
    }
  }
}

/// The parameters by which LiveView Native's client describes its device.
enum NativeInterface {
  static func parameters(of format: String) -> [(name: String, value: String)] {
    format == "swiftui"
      ? [("target", "ios"), ("os", "ios"), ("os_version", "17.0")]
      : [("target", format), ("os", format)]
  }
}
