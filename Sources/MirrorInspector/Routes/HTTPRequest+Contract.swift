internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// The forms of a resource. A route offers its forms to `form(of:)`, the default form
/// first. The other functions in this file read parameters and make responses for all routes.
enum ResourceForm: String {
  case json = "application/json"
  case html = "text/html"
  case text = "text/plain"
}

extension HTTPRequest {
  /// The offered form that the client prefers; the first one if the request states no preference,
  /// or accepts none of the offered forms.
  func form(of offered: [ResourceForm]) -> ResourceForm {
    if headers["Accept"] == nil { return offered[0] }
    return preferred(among: offered.map(\.rawValue)).flatMap(ResourceForm.init) ?? offered[0]
  }

  /// `?dialect=html|native`; without it, `html`.
  func dialect() throws(HTTPError) -> Dialect {
    try choice(of: "dialect") ?? .html
  }

  /// `?container=dead|empty`; `nil` if it is absent.
  func container() throws(HTTPError) -> ContainerContent? {
    guard let name = queryItem("container") else { return nil }
    guard let content = ContainerContent(stating: name) else {
      throw HTTPError.invalid("container", mustBe: "dead (the dead render) or empty", not: name)
    }
    return content
  }

  /// `?client=1.2.10`, the version of LiveView's client; `nil` if it is absent.
  func client() throws(HTTPError) -> String? { try HTTPError.checkClient(queryItem("client")) }

  /// A whole number in the query.
  func number(_ name: String, from least: Int = 0) throws(HTTPError) -> Int? {
    guard let text = queryItem(name) else { return nil }
    guard let number = Int(text), number >= least else {
      throw HTTPError.invalid(name, mustBe: "a whole number ≥ \(least)", not: text)
    }
    return number
  }

  /// `true` or `false` in the query; `false` if it is absent.
  func flag(_ name: String) throws(HTTPError) -> Bool {
    switch queryItem(name) {
    case nil, "false": return false
    case "true": return true
    case let text?: throw HTTPError.invalid(name, mustBe: "true or false", not: text)
    }
  }

  /// The case of an enumeration that a parameter names; `nil` without the parameter.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(of name: String) throws(HTTPError) -> Choice? {
    guard let text = queryItem(name) else { return nil }
    return try choice(text, of: name)
  }

  /// The case of an enumeration that the text of a parameter names.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of name: String
  ) throws(HTTPError) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    throw HTTPError.invalid(
      name, mustBe: "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", not: text)
  }

  /// A position in the log or in the events of a view.
  ///
  /// - Parameters:
  ///   - name: the parameter or header.
  ///   - epoch: the epoch of a position that consists of a version alone.
  func position(_ text: String, of name: String, in epoch: Int) throws(HTTPError) -> EventID {
    if let id = EventID(text, in: epoch) { return id }
    throw .invalid(name, mustBe: "a position: \(EventID.forms)", not: text)
  }

  /// A position in the log of a view: the entries after it are requested. `nil` if the parameter is
  /// absent, or if the position is in an earlier epoch, so that all entries come after it.
  func position(_ name: String, in view: ViewState) throws(HTTPError) -> ChangeLog.Cursor? {
    guard let text = queryItem(name) else { return nil }
    let id = try position(text, of: name, in: view.epoch)
    guard id.epoch <= view.epoch else { throw .unknownEpoch(id.epoch, of: view) }
    return id.epoch == view.epoch ? id.cursor : nil
  }

  /// One consistent state of the view in the path, in the epoch of `?epoch=`; without it, in the
  /// current one.
  ///
  /// - Throws: `404` for an epoch that has not begun, `410` for one that is not kept any more.
  func view(of views: LiveViews) throws(HTTPError) -> ViewState {
    let view = try views.mounted(try parameter("view"))
    guard let epoch = try epoch() else { return try views.state(of: view) }
    if let state = view.view(ofEpoch: epoch) { return state }
    throw .unknownEpoch(epoch, of: try views.state(of: view))
  }

  /// One consistent state of the view in the path, in its current epoch. `?epoch=` is ignored.
  func latestView(of views: LiveViews) throws(HTTPError) -> ViewState {
    try views.state(of: try views.mounted(try parameter("view")))
  }

  /// The state of the view in the path, for routes that exist only for the current epoch: those of
  /// subscribers and pushes.
  ///
  /// - Throws: `410` if `?epoch=` names an earlier one, `404` for a later one.
  func currentView(of views: LiveViews) throws(HTTPError) -> ViewState {
    let view = try latestView(of: views)
    try requireCurrent(view.epoch, of: view.id)
    return view
  }

  /// - Throws: `410` if `?epoch=` names an earlier epoch than the current one, `404` for a later
  ///   one.
  func requireCurrent(_ current: Int, of view: String) throws(HTTPError) {
    guard let epoch = try epoch() else { return }
    if epoch < current {
      throw HTTPError(
        .endedEpoch,
        "Epoch \(epoch) of view \"\(view)\" has ended, and its subscribers with it; it takes no events. Leave epoch out, or set it to "
          + "the current epoch \(current).")
    }
    if epoch > current {
      throw HTTPError(.unknownEpoch, "View \"\(view)\" has no epoch \(epoch): the current epoch is \(current).")
    }
  }

  /// `?epoch=`; `nil` if it is absent.
  private func epoch() throws(HTTPError) -> Int? { try number("epoch", from: 1) }

  /// The document of `?version=`; without it, of the newest version.
  func document(of view: ViewState) throws(HTTPError) -> (version: Int, document: Document) {
    let version = try number("version") ?? view.version
    guard let document = view.document(at: version) else { throw .unknownVersion(version, of: view) }
    return (version, document)
  }

  /// The node that a parameter names by its number.
  ///
  /// - Throws: 404 for a text that cannot be the number of a node. Whether the document has the
  ///   node is not checked.
  func node(_ text: String, of name: String = "node", in document: Document) throws(HTTPError) -> NodeRef {
    guard let number = Int(text), number > 0 else {
      throw .invalid(name, mustBe: "a whole number ≥ 1", not: text, as: .unknownNode)
    }
    return NodeRef(epoch: document.epoch, number: number)
  }

  /// The host of the `Host` header, as a source in a `Content-Security-Policy`. `nil` without the
  /// header, or if the host cannot be such a source: an IPv6 address, for example.
  var hostInPolicies: String? {
    guard let host = headers["Host"], !host.isEmpty else { return nil }
    let isPlain = host.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".:-".utf8.contains($0) }
    return isPlain ? host : nil
  }

  /// The address at which the client reaches this server, for the commands that the inspector
  /// offers to paste.
  var address: String {
    let host = headers["Host"] ?? "localhost"
    let isPlain =
      !host.isEmpty && host.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".:[]-_".utf8.contains($0) }
    return "http://\(isPlain ? host : "localhost")"
  }
}

extension HTTPResponse {
  /// Sends a browser to the inspector, which shows the data of the requested resource.
  static func inspector(of view: ViewState, _ change: (inout ViewPage.Query) -> Void) -> HTTPResponse {
    var query = ViewPage.Query()
    (query.epoch, query.isEnded) = (view.epoch, !view.isCurrent)
    change(&query)
    var response = HTTPResponse(status: .seeOther)
    response.headers["Location"] = Link("views", view.id).with(query).description
    return response
  }
}

extension HTTPError {
  /// The error of a parameter whose value does not have the expected form.
  static func invalid(
    _ name: String, mustBe expected: String, not text: String, as code: ProblemCode = .invalidParameter
  ) -> HTTPError {
    HTTPError(code, "\(name) must be \(expected), not \"\(text)\".")
  }

  /// The error of an epoch that cannot be read: `410` if it has begun, otherwise `404`. The error
  /// names the epochs that can be read.
  static func unknownEpoch(_ epoch: Int, of view: ViewState) -> HTTPError {
    let kept = view.epochs.map { "\($0.epoch)" }.joined(separator: ", ")
    let has = "it has \(view.otherEpochs.isEmpty ? "epoch" : "the epochs") \(kept)"
    if epoch < view.epoch {
      return HTTPError(.endedEpoch, "Epoch \(epoch) of view \"\(view.id)\" is no longer kept; \(has).")
        .offering(Link("views", view.id), "Show the newest version")
    }
    return HTTPError(.unknownEpoch, "View \"\(view.id)\" has no epoch \(epoch): \(has).")
      .offering(Link("views", view.id), "Show the newest version")
  }

  static func unknownVersion(_ version: Int, of view: ViewState) -> HTTPError {
    let (first, last) = (view.firstVersion, view.version)
    if (0..<first).contains(version) {
      return HTTPError(
        .evictedVersion,
        "Version \(version) of view \"\(view.id)\" is no longer kept; the oldest that is, in epoch \(view.epoch), is "
          + "\(first). Raise --versions or --log-bytes of the mirror to keep more."
      ).offering(
        Link("views", view.id).with("version", first).with("epoch", view.epoch), "Show version \(first), the oldest"
      )
      .offering(Link("views", view.id), "Show the newest version")
    }
    return HTTPError(
      .unknownVersion,
      "View \"\(view.id)\" has no version \(version) in epoch \(view.epoch): it has \(first) to \(last)."
    ).offering(Link("views", view.id), "Show the newest version")
  }
}

extension HTTPResponse {
  /// A change set in the form that the client prefers.
  ///
  /// - Parameters:
  ///   - withInput: adds the input to the JSON.
  ///   - explanation: adds the input as a tree of its parts, also to the text.
  ///   - headline: adds what the update did, as one sentence, to the JSON.
  static func changeSet(
    _ record: ChangeRecord, withInput: Bool = false, explainedBy explanation: DiffExplanation? = nil,
    headline: Headline? = nil,
    for request: HTTPRequest
  ) -> HTTPResponse {
    switch request.form(of: [.json, .text]) {
    case .text: .text(record.text + (explanation?.text ?? ""))
    case .json, .html: .json(record.json(withInput: withInput, explainedBy: explanation, headline: headline).bytes)
    }
  }

  /// The headers of an inspector page: it loads its own style sheet, script and images, sends
  /// requests and forms to this server only, and runs no inline code.
  static func page(_ html: HTML, status: HTTPStatus = .ok) -> HTTPResponse {
    var response = HTTPResponse(status: status, contentType: "text/html; charset=utf-8", bytes: html.bytes)
    response.headers["Content-Security-Policy"] =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  /// The headers for the markup of a LiveView. This markup is untrusted, so the headers forbid its
  /// scripts and give the page no origin.
  static func foreign(_ markup: [UInt8]) -> HTTPResponse {
    var response = HTTPResponse(contentType: "text/html; charset=utf-8", bytes: markup)
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'; frame-ancestors 'none'"
    response.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
  }
}

extension HTTPError {
  /// - Returns: the text.
  /// - Throws: if the text is not a version of LiveView's client.
  static func checkClient(_ name: String?) throws(HTTPError) -> String? {
    guard let name, ClientVersion(rawValue: name) == nil else { return name }
    throw HTTPError.invalid("client", mustBe: "a version of LiveView such as 1.2.10 or 1.1", not: name)
  }
}
