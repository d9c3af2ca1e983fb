internal import MirrorSupport

/// The client's pushes, and the parts of frames that are about the page as a whole: its address and
/// the element of a view. ``Reader`` calls these methods when it decodes frames and replies.
extension WireDecoder.Reader {
  // MARK: Pushes of the client

  func join(_ payload: Int) throws(WireError) -> JoinPush {
    let url = try only("url", of: payload).flatMap(tape.string)
    let redirect = try only("redirect", of: payload).flatMap(tape.string)
    let token = try only("static", of: payload)
    let params = try only("params", of: payload)
    let mounts = try params.flatMap { params throws(WireError) in try only("_mounts", of: params) }
    let format = try params.flatMap { params throws(WireError) in try only("_format", of: params) }
    let origin: JoinPush.Origin =
      if let mounts, let number = tape.integer(mounts), number > 0 { .rejoin } else if url != nil {
        .load
      } else if redirect != nil { .navigation } else if let token {
        .nested(isStatic: tape.kind(token) == .string)
      } else { .unknown }
    return JoinPush(
      origin: origin, url: (url ?? redirect)?.beginning(WireMessage.longestText),
      format: format.flatMap(tape.string)?.beginning(ClientEvent.longestName))
  }

  /// The event of a client's frame; `nil` if the server does not answer such a frame with a diff.
  func clientEvent(_ frame: String, _ payload: Int) -> ClientEvent? {
    switch frame {
    case "event":
      guard let name = tape.member("event", of: payload).flatMap(tape.string) else { return nil }
      return clientEvent(name: name, members: payload, target: "cid")
    case "live_patch":
      // The server's frame of this name has `to` instead.
      guard tape.member("url", of: payload) != nil else { return nil }
      return ClientEvent(name: frame, type: nil, value: value(payload), target: nil)
    case "progress", "allow_upload":
      return ClientEvent(
        name: frame, type: nil, value: value(payload), target: tape.member("cid", of: payload).flatMap(tape.integer))
    default: return nil
    }
  }

  /// The event of an object with `type` and `value`.
  ///
  /// - Parameter target: the name of the member with the component's id.
  func clientEvent(name: String, members object: Int, target: String) -> ClientEvent {
    ClientEvent(
      name: name.beginning(ClientEvent.longestName),
      type: tape.member("type", of: object).flatMap(tape.string)?.beginning(ClientEvent.longestName),
      value: changedField(object) ?? tape.member("value", of: object).flatMap(value),
      target: tape.member(target, of: object).flatMap(tape.integer))
  }

  /// The values of a form with the name of its changed field as a further parameter, `_target`.
  /// Clients since LiveView 1.0.6 send this name beside the values, in `meta`. Earlier clients send
  /// it among the values, and LiveView's server adds the name from `meta` to the values in the same
  /// form.
  ///
  /// - Returns: `nil` if there is no such name in `meta`, or if the result is longer than
  ///   ``ClientEvent/longestValue``.
  private func changedField(_ event: Int) -> JSONText? {
    guard let form = tape.member("value", of: event), tape.kind(form) == .string, let values = value(form)?.text,
      let field = tape.member("meta", of: event).flatMap({ tape.member("_target", of: $0) }).flatMap(tape.string)
    else { return nil }
    let pair = "_target=\(field.percentEncoded(except: "-._*"))\""
    let all = values == "\"\"" ? "\"\(pair)" : "\(values.dropLast())&\(pair)"
    return all.utf8.count > ClientEvent.longestValue ? nil : JSONText(all)
  }

  /// The value as JSON; `nil` for `null`, and for more than ``ClientEvent/longestValue`` bytes.
  private func value(_ value: Int) -> JSONText? {
    if tape.isNull(value) { return nil }
    let json = tape.json(value)
    return json.text.utf8.count > ClientEvent.longestValue ? nil : json
  }

  // MARK: The page

  /// The new address in the payload of a frame.
  func move(_ frame: String, _ payload: Int) -> NavigationMessage? {
    guard let kind = NavigationMessage.Kind(rawValue: frame) else { return nil }
    for name in ["to", "url"] {
      if let address = tape.member(name, of: payload).flatMap(tape.string) {
        return NavigationMessage(kind: kind, address: address.beginning(WireMessage.longestText))
      }
    }
    return nil
  }

  /// The new address in a reply, beside or instead of its diff.
  func moveBeside(_ response: Int) -> NavigationMessage? {
    for kind in NavigationMessage.Kind.allCases {
      if let payload = tape.member(kind.rawValue, of: response) { return move(kind.rawValue, payload) }
    }
    return nil
  }

  /// `["article", {"class": "page"}]`
  ///
  /// - Returns: `nil` for another value, and for a container that is longer than
  ///   ``WireMessage/longestText``.
  func container(_ value: Int) -> ViewContainer? {
    guard tape.kind(value) == .array else { return nil }
    var parts = tape.elements(value)
    guard let tag = parts.next().flatMap(tape.string) else { return nil }
    var (attributes, size): ([ViewContainer.Attribute], Int) = ([], tag.utf8.count)
    if let object = parts.next() {
      for (name, value) in tape.members(object) {
        guard let text = tape.text(value) else { continue }
        attributes.append(ViewContainer.Attribute(name: name, value: text))
        size += name.utf8.count + text.utf8.count
      }
    }
    return size <= WireMessage.longestText ? ViewContainer(tag: tag, attributes: attributes) : nil
  }
}
