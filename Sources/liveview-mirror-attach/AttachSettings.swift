internal import CLibrary
internal import CommandSupport
internal import LiveViewClient
internal import MirrorSupport

/// The options of the command, after they were checked.
///
/// ``AttachCommand`` makes the settings. Without a ``mirror``, the program starts a mirror of its
/// own, with the options ``serve``.
struct AttachSettings {
  struct Problem: Error {
    let text: String
  }

  var mirror: WebAddress?
  var token: String?
  var time: Duration?
  var plan = Attachment.Plan()
  var options = ClientOptions()
  /// The options of the mirror that this program starts. The mirror also inherits the environment
  /// variables of this program.
  var serve: [String] = []

  init(_ command: AttachOptions) throws(Problem) {
    if let port = command.port { serve += ["--port", port] }
    if let token = command.access.token { serve += ["--token", token] }
    if let file = command.access.tokenFile { serve += ["--token-file", file] }
    // The log of the mirror would bury the messages about the pages.
    if Self.variable("MIRROR_LOG_LEVEL") == nil { serve += ["--log-level", "error"] }
    for url in command.urls where WebAddress(url) == nil {
      throw Problem(text: ClientError.invalidURL(url).description)
    }
    // If all pages are of one app, the mirror shows them with the app's style sheets.
    // `--app-origin` does not accept an IPv6 address.
    let origins = Set(command.urls.compactMap { WebAddress($0)?.origin })
    if Self.variable("MIRROR_APP_ORIGIN") == nil, command.page.format == nil, origins.count == 1,
      let origin = origins.first,
      !origin.contains("[")
    {
      serve += ["--app-origin", origin]
    }
    if command.steps != nil {
      if command.urls.count > 1 { throw Problem(text: "--steps runs on one page: name one URL") }
      let others = [
        command.mirror.map { _ in "--mirror" }, command.once ? "--once" : nil, command.time.map { _ in "--for" },
        command.giveUp.map { _ in "--give-up" }, command.port.map { _ in "--port" },
      ].compactMap(\.self)
      if !others.isEmpty {
        throw Problem(
          text: "\(others.joined(separator: ", ")): --steps runs without a mirror, and ends by itself; remove one")
      }
    } else if command.record != nil {
      throw Problem(text: "--record writes the frames of --steps: add --steps")
    }
    if let text = command.mirror {
      guard let address = WebAddress(text) else {
        throw Problem(
          text: "--mirror: \u{201C}\(text)\u{201D} must be the address of a mirror, such as http://localhost:8080")
      }
      mirror = address
      if command.port != nil {
        throw Problem(
          text: "--port is the port of a mirror that is started, and --mirror names a running one: remove one")
      }
    }
    token = try Self.token(command)
    time = try Self.duration(command.time, "--for")
    plan = Attachment.Plan(
      isOnce: command.once, ownsMirror: command.mirror == nil,
      patience: try Self.duration(command.giveUp, "--give-up"))
    options.acceptsAnyCertificate = command.page.insecureTls
    if let path = command.page.socketPath {
      guard path.hasPrefix("/") else {
        throw Problem(text: "--socket-path: \u{201C}\(path)\u{201D} must be a path such as /live")
      }
      options.socketPath = path
    }
    options.format = command.page.format
    options.isNative = command.page.format != nil
    for text in command.page.header {
      let header = try Self.pair(text, ":", "--header", "Name: value")
      try Self.refuse("--header", header.name, ClientOptions.problem(ofHeader: header.name, value: header.value))
      options.headers.append(header)
    }
    for text in command.page.cookie {
      let cookie = try Self.pair(text, "=", "--cookie", "name=value")
      // A value may be a session, which must not be printed.
      try Self.refuse("--cookie", cookie.name, ClientOptions.problem(ofCookie: cookie.name, value: cookie.value))
      options.cookies.append(cookie)
    }
  }

  private static func refuse(_ option: String, _ name: String, _ objection: String?) throws(Problem) {
    if let objection { throw Problem(text: "\(option): \u{201C}\(name)\u{201D} \(objection)") }
  }

  private static func pair(
    _ text: String, _ separator: Character, _ option: String, _ form: String
  ) throws(Problem) -> (name: String, value: String) {
    guard let index = text.firstIndex(of: separator), index != text.startIndex,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw Problem(text: "\(option): \u{201C}\(text)\u{201D} must have the form \(form)") }
    let value = text[text.index(after: index)...].drop { $0 == " " }
    return (String(text[..<index]), String(value))
  }

  /// `--token` overrides `--token-file`, and both flags override the variables.
  private static func token(_ command: AttachOptions) throws(Problem) -> String? {
    if let token = command.access.token { return token }
    if command.access.tokenFile == nil, let token = variable("MIRROR_TOKEN") { return token }
    guard let file = command.access.tokenFile ?? variable("MIRROR_TOKEN_FILE") else { return nil }
    do throws(SystemError) {
      let text = String(decoding: try SystemFile.bytes(of: file), as: UTF8.self)
      return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    } catch {
      throw Problem(text: "--token-file: cannot read \(file): \(error)")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func duration(_ text: String?, _ option: String) throws(Problem) -> Duration? {
    guard let text else { return nil }
    guard let time = Quantity.time(text) else {
      throw Problem(text: "\(option): \u{201C}\(text)\u{201D} \(Quantity.timeExpectation)")
    }
    return time
  }
}
