internal import ArgumentParser

/// The flags of `serve` as the user typed them, one option for each row of the ``SettingsTable``.
/// ``ServeSettings`` reads them together with the environment.
///
/// Each property must have the name of its flag in camel case, because `text(ofOption:)` finds the
/// value by that name.
struct ServeFlags: ParsableArguments {
  @Option(\.address) var address: String?
  @Option(\.port) var port: String?
  @Option(\.publicFolder) var `public`: String?
  @Option(\.maxBody) var maxBody: String?
  @Option(\.allowHost) var allowHost: [String] = []
  @Option(\.allowOrigin) var allowOrigin: [String] = []
  @Option(\.token) var token: String?
  @Option(\.tokenFile) var tokenFile: String?
  @Flag(\.insecure) var insecure: Bool?
  @Option(\.journal) var journal: String?
  @Option(\.versions) var versions: String?
  @Option(\.memory) var memory: String?
  @Option(\.logBytes) var logBytes: String?
  @Option(\.pageBytes) var pageBytes: String?
  @Option(\.maxViews) var maxViews: String?
  @Option(\.maxClients) var maxClients: String?
  @Option(\.maxSubscriptions) var maxSubscriptions: String?
  @Option(\.expire) var expire: String?
  @Option(\.grace) var grace: String?
  @Option(\.pageImages) var pageImages: String?
  @Option(\.editor) var editor: String?
  @Option(\.appRoot) var appRoot: String?
  @Option(\.source) var source: String?
  @Option(\.appOrigin) var appOrigin: String?
  @Option(\.appStyles) var appStyles: [String] = []
  @Option(\.logLevel) var logLevel: String?
  @Option(\.logFormat) var logFormat: String?
  @Option(\.filterParameters) var filterParameters: [String] = []
  @Option(\.pipeline) var pipeline: String?
  @Flag(\.verify) var verify: Bool?

  /// What the user typed for a flag; `nil` without the flag.
  func text(of setting: Setting) -> String? { text(ofOption: setting.name) }
}

extension ParsableArguments {
  /// What the user typed for an option: a list with commas if it was repeated; `nil` without the
  /// option.
  ///
  /// - Parameter name: the option without its dashes, such as `max-body`. Its property has the same
  ///   name: `maxBody`.
  func text(ofOption name: String) -> String? {
    let words = name.split(separator: "-")
    let property = words.dropFirst().reduce(into: "_\(words.first ?? "")") {
      $0 += $1.prefix(1).uppercased() + $1.dropFirst()
    }
    switch Mirror(reflecting: self).children.first(where: { $0.label == property })?.value {
    case let option as Option<String?>: return option.wrappedValue
    case let option as Option<[String]>:
      return option.wrappedValue.isEmpty ? nil : option.wrappedValue.joined(separator: ",")
    case let flag as Flag<Bool?>: return flag.wrappedValue.map { String($0) }
    default: return nil
    }
  }
}

extension Setting {
  fileprivate var help: ArgumentHelp {
    let holds = defaultText.map { "; default: \($0)" } ?? ""
    return ArgumentHelp("\(summary) [\(variable)\(holds)]", valueName: placeholder)
  }

  /// What a shell proposes for the value.
  fileprivate var completion: CompletionKind? {
    switch placeholder {
    case "file", "file|url": .file()
    case "folder": .directory
    default: nil
    }
  }
}

extension Option where Value == String? {
  fileprivate init<Kind>(_ row: KeyPath<SettingsTable, TypedSetting<Kind>>) {
    let (setting, choices) = (SettingsTable.rows[keyPath: row].setting, SettingsTable.rows[keyPath: row].kind.choices)
    self.init(
      name: .customLong(setting.name), help: setting.help,
      completion: choices.isEmpty ? setting.completion : .list(choices))
  }
}

extension Option where Value == [String] {
  fileprivate init<Kind>(wrappedValue: [String], _ row: KeyPath<SettingsTable, TypedSetting<Kind>>) {
    let setting = SettingsTable.rows[keyPath: row].setting
    self.init(
      wrappedValue: wrappedValue, name: .customLong(setting.name), parsing: .singleValue, help: setting.help)
  }
}

extension Flag where Value == Bool? {
  fileprivate init<Kind>(_ row: KeyPath<SettingsTable, TypedSetting<Kind>>) {
    let setting = SettingsTable.rows[keyPath: row].setting
    self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.help)
  }
}
