internal import LiveViewMirror
internal import Logging
internal import MirrorInspector

extension ServeSettings {
  /// Reads the settings. A flag wins over a variable, a variable over the default. An empty
  /// variable counts as unset. ``Serve`` gives all flags, and
  /// ``ofMirror(token:tokenFile:environment:)`` only those of the token.
  ///
  /// - Parameters:
  ///   - flag: the text of a flag; `nil` without the flag.
  ///   - environment: the variables of the process.
  ///   - file: the bytes of a file; `nil` if it cannot be read.
  ///   - memory: the bytes that the process may have; `nil` if unknown.
  /// - Throws: everything that is wrong, each with the flag or the variable and what is expected.
  init(
    flag: @escaping (Setting) -> String?, environment: [String: String], file: (String) -> [UInt8]?,
    memory: Int? = nil
  ) throws(SettingsError) {
    var reader = SettingsReader(flag: flag, environment: environment)
    let rows = SettingsTable.rows
    address = reader.read(\.address)
    port = reader.read(\.port)
    publicFolder = reader.optional(\.publicFolder)
    maximumBodyBytes = reader.read(\.maxBody)
    allowedHosts = reader.optional(\.allowHost) ?? []
    allowedOrigins = reader.optional(\.allowOrigin) ?? []
    token = reader.token(file: file)
    let isInsecure = reader.read(\.insecure)
    journal = reader.optional(\.journal)
    let memory = reader.optional(\.memory) ?? memory
    memoryPlan = MemoryPlan(of: memory, body: maximumBodyBytes)
    limits = MirrorLimits(
      versions: reader.read(\.versions), logBytes: reader.read(\.logBytes, defaultAtMost: memoryPlan.logs),
      pageBytes: reader.read(\.pageBytes, defaultAtMost: memoryPlan.pages), views: reader.read(\.maxViews),
      expiry: nil)
    clients = reader.read(\.maxClients)
    subscriptions = reader.read(\.maxSubscriptions)
    limits.expiry = reader.read(\.expire)
    grace = reader.read(\.grace)
    pageImages = reader.read(\.pageImages)
    let styles = reader.read(\.appStyles)
    appStyles = reader.optional(\.appOrigin).map { AppStyles(origin: $0, paths: styles) }
    let appRoot = reader.optional(\.appRoot)
    editor = reader.optional(\.editor).flatMap { Editor($0, appRoot: appRoot) }
    templates = reader.optional(\.source).flatMap { TemplateFiles(folder: $0) }
    logLevel = reader.read(\.logLevel)
    logFormat = reader.read(\.logFormat)
    let filteredParameters = reader.read(\.filterParameters)
    options = UpdateOptions(
      pipeline: reader.read(\.pipeline), verifies: reader.read(\.verify), drawsPage: true,
      filteredParameters: filteredParameters, memory: memory)
    shown = reader.shown

    if options.verifies, options.pipeline == .full {
      reader.problems.append(
        "\(reader.source(of: rows.verify.setting)) compares with the full pipeline, so --pipeline must not be full"
      )
    }
    if !reader.isUnreadable(rows.address.setting), !(IPAddress(address)?.isLoopback ?? false), token == nil,
      !isInsecure,
      !reader.isUnreadable(rows.token.setting), !reader.isUnreadable(rows.tokenFile.setting)
    {
      reader.problems.append(
        """
        \(reader.source(of: rows.address.setting)): any machine that reaches \(address) could do everything; set a token with \
        \(rows.token.setting.variable) or \(rows.tokenFile.setting.flag) FILE, or allow it with \(rows.insecure.setting.flag) \
        (\(rows.insecure.setting.variable)=1)
        """)
    }
    guard reader.problems.isEmpty else { throw SettingsError(problems: reader.problems) }
  }
}

/// Reads one setting after the other, and collects errors and values. A setting that cannot be read
/// gets the fallback of its ``SettingKind``, so the values are valid only if ``problems`` is empty.
private struct SettingsReader {
  let flag: (Setting) -> String?
  let environment: [String: String]
  var problems: [String] = []
  private var unreadable: Set<Setting> = []
  private var noted: [Setting: ServeSettings.Shown] = [:]

  init(flag: @escaping (Setting) -> String?, environment: [String: String]) {
    self.flag = flag
    self.environment = environment
  }

  var shown: [ServeSettings.Shown] { Setting.all.compactMap { noted[$0] } }

  func isUnreadable(_ setting: Setting) -> Bool { unreadable.contains(setting) }

  func source(of setting: Setting) -> ServeSettings.Source {
    if flag(setting) != nil { return .flag(setting) }
    return variable(setting) == nil ? .defaults : .variable(setting)
  }

  private func variable(_ setting: Setting) -> String? {
    environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The text of the flag or the variable.
  private func text(of setting: Setting) -> String? { flag(setting) ?? variable(setting) }

  private mutating func note(_ setting: Setting, _ value: String) {
    noted[setting] = .init(setting: setting, value: value, source: source(of: setting))
  }

  private mutating func refuse(_ setting: Setting, _ text: String, _ hint: String) {
    unreadable.insert(setting)
    problems.append("\(source(of: setting)): \u{201C}\(text)\u{201D} \(hint)")
  }

  /// Reads a setting that has a default.
  mutating func read<Value>(_ row: KeyPath<SettingsTable, TypedSetting<Value>>) -> Value {
    optional(row) ?? SettingsTable.rows[keyPath: row].kind.fallback
  }

  /// Reads a setting whose default is reduced to `limit` if the machine has little memory.
  mutating func read(_ row: KeyPath<SettingsTable, TypedSetting<Int>>, defaultAtMost limit: Int) -> Int {
    let (value, setting) = (read(row), SettingsTable.rows[keyPath: row].setting)
    guard limit < value, source(of: setting) == .defaults else { return value }
    noted[setting] = .init(setting: setting, value: SettingsTable.rows[keyPath: row].kind.write(limit), source: .memory)
    return limit
  }

  /// Reads a setting; `nil` if it is not set and has no default, or if it cannot be read.
  mutating func optional<Value>(_ row: KeyPath<SettingsTable, TypedSetting<Value>>) -> Value? {
    let (setting, kind) = (SettingsTable.rows[keyPath: row].setting, SettingsTable.rows[keyPath: row].kind)
    guard let text = text(of: setting) ?? setting.defaultText else {
      note(setting, "none")
      return nil
    }
    guard let value = kind.read(text) else {
      refuse(setting, kind.quote(text), kind.expectation)
      return nil
    }
    note(setting, kind.write(value))
    return value
  }

  /// Reads the token from a setting or from the file that a setting names. A flag of either setting
  /// wins over the variables of both. No error message contains the token.
  mutating func token(file: (String) -> [UInt8]?) -> String? {
    let (token, tokenFile) = (SettingsTable.rows.token.setting, SettingsTable.rows.tokenFile.setting)
    let isTyped = flag(token) != nil || flag(tokenFile) != nil
    let (text, path) = isTyped ? (flag(token), flag(tokenFile)) : (variable(token), variable(tokenFile))
    noted[tokenFile] = .init(
      setting: tokenFile, value: path ?? "none", source: path == nil ? .defaults : source(of: tokenFile))
    let origin: ServeSettings.Source =
      text != nil ? source(of: token) : path != nil ? source(of: tokenFile) : .defaults
    noted[token] = .init(setting: token, value: text == nil && path == nil ? "none" : "set", source: origin)

    switch (text, path) {
    case (nil, nil): return nil
    case (_?, _?):
      unreadable.insert(token)
      problems.append("\(source(of: token)) and \(source(of: tokenFile)) both set the token: remove one")
      return nil
    case (let text?, nil):
      if SettingText.isToken(text) { return text }
      unreadable.insert(token)
      problems.append("\(source(of: token)): the token \(SettingText.tokenExpectation)")
      return nil
    case (nil, let path?):
      guard let bytes = file(path) else {
        refuse(tokenFile, path, "cannot be read")
        return nil
      }
      let content = String(decoding: bytes, as: UTF8.self).trimmingLineEnd
      if SettingText.isToken(content) { return content }
      refuse(tokenFile, path, "must hold a token, which \(SettingText.tokenExpectation)")
      return nil
    }
  }
}

extension String {
  /// The text without the line end that editors and `echo` write at the end of a file.
  fileprivate var trimmingLineEnd: String {
    var bytes = utf8[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
