/// Something that `serve` can be told: the one list of all there is.
///
/// Each can be said by a flag and by an environment variable; the flag wins. The help, the page in `docs/`, what is
/// printed at the start and the warning about unknown variables come from here.
enum Setting: String, CaseIterable, Sendable {
  case address
  case port
  case publicFolder = "public"
  case maxBody = "max-body"
  case allowHost = "allow-host"
  case allowOrigin = "allow-origin"
  case token
  case tokenFile = "token-file"
  case insecure
  case versions
  case logBytes = "log-bytes"
  case pageBytes = "page-bytes"
  case maxViews = "max-views"
  case maxClients = "max-clients"
  case maxSubscriptions = "max-subscriptions"
  case expire
  case grace
  case pageImages = "page-images"
  case logLevel = "log-level"
  case logFormat = "log-format"
  case pipeline
  case verify

  /// Its name in a log line, and behind the dashes of its flag.
  var name: String { rawValue }

  var flag: String { "--" + rawValue }

  static let variablePrefix = "MIRROR_"

  /// `MIRROR_MAX_BODY` for `--max-body`.
  var variable: String {
    Self.variablePrefix + rawValue.map { $0 == "-" ? "_" : $0.uppercased() }.joined()
  }

  /// What holds where nobody says anything, as it would be written; `nil` where that is nothing.
  var defaultText: String? {
    switch self {
    case .address: "127.0.0.1"
    case .port: "8080"
    case .publicFolder, .allowHost, .allowOrigin, .token, .tokenFile: nil
    case .maxBody: "16MiB"
    case .insecure, .verify: "false"
    case .versions: "10000"
    case .logBytes, .pageBytes: "64MiB"
    case .maxViews: "1000"
    case .maxClients: "500"
    case .maxSubscriptions: "1000"
    case .expire: "never"
    case .grace: "8s"
    case .pageImages: "none"
    case .logLevel: "info"
    case .logFormat: "text"
    case .pipeline: "scoped"
    }
  }

  /// Whether it can be given several times, or as a list with commas.
  var isList: Bool { self == .allowHost || self == .allowOrigin }

  /// Whether it is a flag without a value: `--insecure` or `--no-insecure`.
  var isSwitch: Bool { self == .insecure || self == .verify }

  /// Whether nobody may see its value.
  var isSecret: Bool { self == .token }
}

extension Setting {
  /// What the help says of it.
  var summary: String {
    switch self {
    case .address:
      "The IP address to listen on. Beyond this machine (0.0.0.0, ::) it asks for a token, or for --insecure."
    case .port: "The port to listen on; 0 takes a free one and prints it."
    case .publicFolder:
      "The folder of the inspector's style sheet. Found by itself beside the program and in a checkout."
    case .maxBody: "The longest body that is taken, such as 16MiB, 16MB or 16000000."
    case .allowHost:
      "A host name, besides those of this machine, by which the mirror may be called. Several with commas."
    case .allowOrigin:
      "An origin whose pages may send to the mirror and read from it, such as http://localhost:4000. Several with commas."
    case .token:
      "Asks everybody for this token: 8 to 512 of A–Z a–z 0–9 . _ ~ + / = -. Others can see it in the list of processes."
    case .tokenFile: "A file with the token in it, for Docker's secrets."
    case .insecure: "Listen beyond this machine without a token: whoever reaches the address may do everything."
    case .versions: "Past versions that are kept of each view; then the oldest go."
    case .logBytes: "Memory for the logs of all views together, such as 64MiB; then the oldest entries go."
    case .pageBytes:
      "Memory for the pages of all views together, such as 64MiB; then the view is removed that was not updated for longest."
    case .maxViews: "Views at the same time; then the one goes that was not updated for longest."
    case .maxClients: "Event streams at the same time; more are answered 503."
    case .maxSubscriptions: "Subscriptions of all views; more are answered 429."
    case .expire: "A view goes when it was not updated for so long, such as 30s, 15m, 2h or 1d; or never."
    case .grace: "How long requests that have begun may take when the program is asked to end."
    case .pageImages:
      "Images of other hosts that a mirrored page loads: none, or https. Its styles can send out with them what it holds."
    case .logLevel: "What is logged: trace, debug (every request), info, notice, warning, error or critical."
    case .logFormat: "How a line of the log is written: text or json."
    case .pipeline:
      """
      How a diff is applied: scoped touches only what the diff names, full renders, parses and compares the whole page \
      every time. Both end with the same page; full is for comparing, and for when you do not trust scoped.
      """
    case .verify:
      """
      Compute every scoped update in full as well, and report a difference as a diagnostic of the update. It costs more \
      than the full pipeline: for looking for faults of the mirror.
      """
    }
  }

  /// How its value is called in the help.
  var placeholder: String {
    switch self {
    case .address: "ip"
    case .port, .versions, .maxViews, .maxClients, .maxSubscriptions: "number"
    case .publicFolder: "folder"
    case .maxBody, .logBytes, .pageBytes: "size"
    case .allowHost: "name"
    case .allowOrigin: "origin"
    case .token: "token"
    case .tokenFile: "file"
    case .expire, .grace: "duration"
    case .pageImages: "images"
    case .logLevel: "level"
    case .logFormat: "format"
    case .pipeline: "pipeline"
    case .insecure, .verify: ""
    }
  }
}
