internal import LiveViewMirror
internal import Logging

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
  var logLevel: Logger.Level
  var logFormat: LogLine.Format
  var options: UpdateOptions

  /// Every setting, in the order of the list, each once. Secrets are not in it.
  var shown: [Shown]
}

extension ServeSettings {
  /// Every bound, for metrics.
  var namedLimits: [(what: String, value: Int)] {
    [
      ("versions", limits.versions), ("log_bytes", limits.logBytes), ("views", limits.views), ("clients", clients),
      ("subscriptions", subscriptions), ("body_bytes", maximumBodyBytes),
    ] + (limits.expiry.map { [("expiry_seconds", Int($0.components.seconds))] } ?? [])
  }
}

/// What is wrong with flags and variables: all of it, so that nobody has to try again for each.
struct SettingsError: Error, Equatable, CustomStringConvertible {
  var problems: [String]

  var description: String { problems.joined(separator: "\n") }
}
