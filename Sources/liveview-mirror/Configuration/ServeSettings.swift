internal import LiveViewMirror
internal import Logging
internal import MirrorJournal
internal import MirrorInspector

/// The settings of `serve`, read and checked, with the source of each value. ``Serve`` reads them
/// once at the start. Commands that send requests to a running mirror read only the address, the
/// port and the token.
struct ServeSettings: Sendable {
  /// Where a value comes from.
  enum Source: Sendable, Hashable, CustomStringConvertible {
    case flag(Setting)
    case variable(Setting)
    case defaults
    /// The default, reduced to a share of the memory that the process may have. See ``MemoryPlan``.
    case memory

    var description: String {
      switch self {
      case .flag(let setting): setting.flag
      case .variable(let setting): setting.variable
      case .defaults: "default"
      case .memory: "default, less because of the memory that the program may have"
      }
    }
  }

  /// One value as the log shows it at the start.
  struct Shown: Sendable, Hashable {
    var setting: Setting
    var value: String
    var source: Source
  }

  var address: String
  var port: UInt16
  /// `nil` if the folder must be searched for.
  var publicFolder: String?
  var maximumBodyBytes: Int
  var allowedHosts: [String]
  var allowedOrigins: [String]
  /// The token that clients must send, from a setting or from a file.
  var token: String?
  /// Where views are kept; `nil` for memory alone.
  var journal: JournalLocation?
  var limits: MirrorLimits
  /// The memory limits that have no setting, and upper bounds for the defaults of those that have
  /// one.
  var memoryPlan: MemoryPlan
  var clients: Int
  var subscriptions: Int
  var grace: Duration
  var pageImages: ImagePolicy
  /// The app whose style sheets mirrored pages use; `nil` for none.
  var appStyles: AppStyles?
  /// The editor that opens template lines; `nil` without one.
  var editor: Editor?
  /// The app's templates, whose lines the inspector shows; `nil` without a folder.
  var templates: TemplateFiles?
  var logLevel: Logger.Level
  var logFormat: LogLine.Format
  var options: UpdateOptions

  /// Every setting once, in the order of the ``SettingsTable``. Contains no secrets.
  var shown: [Shown]

  /// The limit of connections: twice the limit of event streams, so that streams cannot exclude
  /// other requests, and at least 1,024. If the process may have fewer connections, that number is
  /// the limit. But if a flag or a variable sets `max-clients`, there are at least 4/3 as many
  /// connections: three of four connections may be streams, so all of these streams have room.
  ///
  /// - Parameter possible: the number of connections that the process may have.
  func connections(possible: Int) -> Int {
    let clients = min(clients, 1 << 20)
    let isChosen = shown.contains { $0.setting == SettingsTable.rows.maxClients.setting && $0.source != .defaults }
    return min(max(1_024, 2 * clients), max(possible, isChosen ? (clients + 2) / 3 * 4 : 2))
  }
}

/// Everything that is wrong with the flags and variables, so that a user can correct all of it at
/// once.
struct SettingsError: Error, Equatable, CustomStringConvertible {
  var problems: [String]

  var description: String { problems.joined(separator: "\n") }
}
