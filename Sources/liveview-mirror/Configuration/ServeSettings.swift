internal import LiveViewMirror
internal import Logging
internal import MirrorInspector

/// All that `serve` was told, read and checked, with where each value came from.
struct ServeSettings: Sendable {
  /// Who said it.
  enum Source: Sendable, Hashable, CustomStringConvertible {
    case flag(Setting)
    case variable(Setting)
    case defaults

    var description: String {
      switch self {
      case .flag(let setting): setting.flag
      case .variable(let setting): setting.variable
      case .defaults: "default"
      }
    }
  }

  /// One value as it is shown at the start.
  struct Shown: Sendable, Hashable {
    var setting: Setting
    var value: String
    var source: Source
  }

  var address: String
  var port: UInt16
  /// `nil` where it is to be looked for.
  var publicFolder: String?
  var maximumBodyBytes: Int
  var allowedHosts: [String]
  var allowedOrigins: [String]
  /// What everybody is asked for; out of a file where that was given.
  var token: String?
  var limits: MirrorLimits
  var clients: Int
  var subscriptions: Int
  var grace: Duration
  var pageImages: PageImages
  var logLevel: Logger.Level
  var logFormat: LogLine.Format
  var options: UpdateOptions

  /// Every setting, in the order of the list, each once. Secrets are not in it.
  var shown: [Shown]

  /// How many may be connected: more than read events, so that these keep nobody out. More than a million are no number that
  /// a process can have, and the server says so.
  var connections: Int { max(1_024, 2 * min(clients, 1 << 20)) }
}

/// What is wrong with flags and variables: all of it, so that nobody has to try again for each.
struct SettingsError: Error, Equatable, CustomStringConvertible {
  var problems: [String]

  var description: String { problems.joined(separator: "\n") }
}
