internal import LiveViewMirror
internal import Logging
internal import MirrorInspector

/// The settings of `serve`, one per row. Each row determines the flag, the environment variable and
/// the help of its setting. The lines at the start of the log, the warning about unknown variables
/// and the check of `docs/running.md` follow from the rows, too.
///
/// A new setting is a row here, an option of that name in ``ServeFlags``, and a property of
/// ``ServeSettings`` that its initializer reads.
struct SettingsTable: Sendable {
  static let rows = SettingsTable()

  let address = TypedSetting(
    "address", .address, default: "127.0.0.1", "ip",
    "The IP address to listen on. An address that other machines can reach (0.0.0.0, ::) needs a token, or --insecure.")
  let port = TypedSetting(
    "port", .port, default: "8080", "number", "The port to listen on; 0 takes a free one and prints it.")
  let publicFolder = TypedSetting(
    "public", .text, "folder",
    "The folder of the inspector's style sheet. By default it is looked for beside the program and in a checkout.")
  let maxBody = TypedSetting(
    "max-body", .size, default: "16MiB", "size", "The longest request body, such as 16MiB, 16MB or 16000000.")
  let allowHost = TypedSetting(
    "allow-host", .hosts, "name", form: .list,
    "A host name, besides those of this machine, by which clients may call the mirror. Separate several by commas.")
  let allowOrigin = TypedSetting(
    "allow-origin", .origins, "origin", form: .list,
    "An origin whose pages may send to the mirror and read from it, such as http://localhost:4000. Separate several by commas."
  )
  let token = TypedSetting(
    "token", .text, "token",
    """
    Every client must send this token: 8 to 512 of A–Z a–z 0–9 . _ ~ + / = -. Other users of the machine can see it in the list \
    of processes.
    """)
  let tokenFile = TypedSetting("token-file", .text, "file", "A file that holds the token, for Docker's secrets.")
  let insecure = TypedSetting(
    "insecure", .boolean, default: "false", form: .onOff,
    "Listen on an address that other machines can reach, without a token: any of them may do everything.")
  let journal = TypedSetting(
    "journal", .journal, "file|url",
    """
    Where views are kept, so that they exist again after a restart: the path of a SQLite database, such as mirror.sqlite, which is \
    created if there is none, or the URL of a PostgreSQL database, such as postgres://user@host:5432/database. Without it, views \
    end with the program.
    """)
  let versions = TypedSetting(
    "versions", .count, default: "10000", "number",
    "The number of past versions that are kept of each view; beyond it the oldest are evicted.")
  let memory = TypedSetting(
    "memory", .size, "size",
    """
    How much memory the program may take, such as 256MiB; by default what the machine, the control group and ulimit allow. The \
    limits of memory together are at most half of it.
    """)
  let logBytes = TypedSetting(
    "log-bytes", .size, default: "64MiB", "size",
    """
    Memory for the logs of all views together, such as 64MiB; beyond it the oldest entries are evicted, from the largest log of \
    an ended view first.
    """)
  let pageBytes = TypedSetting(
    "page-bytes", .size, default: "64MiB", "size",
    """
    Memory for the pages of all views together, such as 64MiB; beyond it views are removed: of closed pages first, then large \
    ones without recent updates.
    """)
  let maxViews = TypedSetting(
    "max-views", .count, default: "1000", "number",
    "The number of views at the same time; beyond it the least recently updated one is removed.")
  let maxClients = TypedSetting(
    "max-clients", .count, default: "500", "number",
    "The number of event streams at the same time; a further one gets a 503.")
  let maxSubscriptions = TypedSetting(
    "max-subscriptions", .count, default: "1000", "number",
    "The number of subscriptions of all views; a further one gets a 429.")
  let expire = TypedSetting(
    "expire", .expiry, default: "never", "duration",
    "A view is removed when it was not updated for this long, such as 30s, 15m, 2h or 1d; or never.")
  let grace = TypedSetting(
    "grace", .grace, default: "8s", "duration", "How long running requests may take after the program was asked to end."
  )
  let pageImages = TypedSetting(
    "page-images", .word(ImagePolicy.none), default: "none", "images",
    """
    The images of other hosts that a mirrored page loads: none, or https. The styles of a page can send what the page holds to \
    these hosts.
    """)
  let editor = TypedSetting(
    "editor", .editor, "editor",
    """
    The editor that opens template lines: \(SettingKind<String>.editorNames), or an address with __FILE__ and __LINE__, as in \
    Phoenix's PLUG_EDITOR.
    """)
  let appRoot = TypedSetting(
    "app-root", .absolutePath, "folder",
    "The folder of the app whose template lines the editor opens, since their files are relative to it, such as /home/ada/shop."
  )
  let source = TypedSetting(
    "source", .folder, "folder",
    """
    The folder of the app, such as /home/ada/shop: the inspector shows the template lines that annotations name. Everyone who may \
    open the inspector can then read the .ex and .heex files below it.
    """)
  let appOrigin = TypedSetting(
    "app-origin", .appOrigin, "origin",
    """
    The app's origin, such as http://localhost:4000: a mirrored page uses its style sheets and images. Any markup can then send \
    GET requests to the app.
    """)
  let appStyles = TypedSetting(
    "app-styles", .paths, default: AppStyles.defaultPaths.joined(separator: ","), "path", form: .list,
    "The paths of the app's style sheets, with --app-origin. Separate several by commas.")
  let logLevel = TypedSetting(
    "log-level", .word(Logger.Level.info), default: "info", "level",
    "The least level that is logged: trace, debug (every request), info, notice, warning, error or critical.")
  let logFormat = TypedSetting(
    "log-format", .word(LogLine.Format.text), default: "text", "format",
    "The format of a line of the log: text or json.")
  let filterParameters = TypedSetting(
    "filter-parameters", .names, default: "password,secret,token", "name", form: .list,
    """
    Parameters of the client's events whose values are never stored, as in Phoenix's :filter_parameters: those whose name \
    contains one of these. Separate several by commas; none filters only what is typed into password fields.
    """)
  let pipeline = TypedSetting(
    "pipeline", .word(UpdateOptions.Pipeline.scoped), default: "scoped", "pipeline",
    """
    How a diff is applied: scoped touches only what the diff names, full renders, parses and compares the whole page every \
    time. Both end with the same page; full is for comparing, and for when you do not trust scoped.
    """)
  let verify = TypedSetting(
    "verify", .boolean, default: "false", form: .onOff,
    """
    Compute every scoped update in full as well, and report a difference as a diagnostic of the update. It costs more than the \
    full pipeline; use it to find bugs of the mirror.
    """)
}
