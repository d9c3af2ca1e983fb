/// One setting of `serve`. A flag and an environment variable set it; the flag wins.
///
/// Each row of ``SettingsTable`` has one. Settings with the same name are equal, so no two rows may
/// have the same name.
struct Setting: Sendable {
  /// How the flag takes its value.
  enum Form: Sendable {
    case value
    /// The flag can be repeated, and its value is a list with commas.
    case list
    /// `--insecure` or `--no-insecure`, without a value.
    case onOff
  }

  /// The name in log lines, and of the flag without its dashes.
  let name: String
  /// The value without a flag and a variable, as a user would write it; `nil` if there is none.
  let defaultText: String?
  /// What the help calls the value.
  let placeholder: String
  let summary: String
  let form: Form

  var flag: String { "--" + name }

  static let variablePrefix = "MIRROR_"

  /// `MIRROR_MAX_BODY` for `--max-body`.
  var variable: String { Self.variablePrefix + name.map { $0 == "-" ? "_" : $0.uppercased() }.joined() }

  /// All settings, in the order of ``SettingsTable``.
  static let all: [Setting] = Mirror(reflecting: SettingsTable.rows).children.compactMap {
    ($0.value as? any SettingRow)?.setting
  }
}

extension Setting: Hashable {
  static func == (a: Setting, b: Setting) -> Bool { a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A row of the ``SettingsTable``, whatever the type of its values.
protocol SettingRow {
  var setting: Setting { get }
}

/// A setting, and how its values are read and written.
struct TypedSetting<Value: Sendable>: SettingRow {
  let setting: Setting
  let kind: SettingKind<Value>

  /// - Parameters:
  ///   - name: the flag without its dashes; the variable follows from it.
  ///   - placeholder: what the help calls the value.
  init(
    _ name: String, _ kind: SettingKind<Value>, default defaultText: String? = nil, _ placeholder: String = "",
    form: Setting.Form = .value, _ summary: String
  ) {
    setting = Setting(
      name: name, defaultText: defaultText, placeholder: placeholder, summary: summary, form: form)
    self.kind = kind
  }
}
