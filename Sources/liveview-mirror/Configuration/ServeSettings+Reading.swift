internal import LiveViewMirror
internal import Logging

extension ServeSettings {
  /// Reads them: a flag wins over a variable, a variable over the default, and an empty variable counts as none.
  ///
  /// - Parameters:
  ///   - flag: what was typed for a flag.
  ///   - environment: the variables of the process.
  ///   - file: the bytes of a file, `nil` where it cannot be read.
  /// - Throws: everything that is wrong, each with the flag or the variable, and what would do.
  init(
    flag: @escaping (Setting) -> String?, environment: [String: String], file: (String) -> [UInt8]?
  ) throws(SettingsError) {
    var reader = SettingsReader(flag: flag, environment: environment)
    address = reader.read(.address, SettingValue.address)
    port = reader.read(.port, SettingValue.port)
    publicFolder = reader.optional(.publicFolder, SettingValue.text)
    maximumBodyBytes = reader.read(.maxBody, SettingValue.size)
    allowedHosts = reader.optional(.allowHost, SettingValue.hosts) ?? []
    allowedOrigins = reader.optional(.allowOrigin, SettingValue.origins) ?? []
    token = reader.token(file: file)
    let isInsecure = reader.read(.insecure, SettingValue.boolean)
    limits = MirrorLimits(
      versions: reader.read(.versions, SettingValue.count), logBytes: reader.read(.logBytes, SettingValue.size),
      pageBytes: reader.read(.pageBytes, SettingValue.size), views: reader.read(.maxViews, SettingValue.count),
      expiry: nil)
    clients = reader.read(.maxClients, SettingValue.count)
    subscriptions = reader.read(.maxSubscriptions, SettingValue.count)
    limits.expiry = reader.read(.expire, SettingValue.expiry)
    grace = reader.read(.grace, SettingValue.grace)
    pageImages = reader.read(.pageImages, SettingValue.pageImages)
    logLevel = reader.read(.logLevel, SettingValue.logLevel)
    logFormat = reader.read(.logFormat, SettingValue.logFormat)
    options = UpdateOptions(
      pipeline: reader.read(.pipeline, SettingValue.pipeline), verifies: reader.read(.verify, SettingValue.boolean),
      drawsPage: true)
    shown = reader.shown

    if options.verifies, options.pipeline == .full {
      reader.problems.append(
        "\(reader.source(of: .verify)) compares with the full pipeline: with --pipeline full there is nothing to compare"
      )
    }
    if !reader.isUnreadable(.address), !SettingValue.isLoopback(address), token == nil, !isInsecure,
      !reader.isUnreadable(.token), !reader.isUnreadable(.tokenFile)
    {
      reader.problems.append(
        """
        \(reader.source(of: .address)): whoever reaches \(address) could do everything, and nobody is asked for a token; \
        set one with \(Setting.token.variable) or \(Setting.tokenFile.flag) FILE, or say \(Setting.insecure.flag) \
        (\(Setting.insecure.variable)=1) if that is meant
        """)
    }
    guard reader.problems.isEmpty else { throw SettingsError(problems: reader.problems) }
  }
}

/// Reads one setting after the other, and notes what is wrong and what was read.
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

  var shown: [ServeSettings.Shown] { Setting.allCases.compactMap { noted[$0] } }

  func isUnreadable(_ setting: Setting) -> Bool { unreadable.contains(setting) }

  func source(of setting: Setting) -> ServeSettings.Source {
    if flag(setting) != nil { return .flag(setting) }
    return variable(setting) == nil ? .defaults : .variable(setting)
  }

  private func variable(_ setting: Setting) -> String? {
    environment[setting.variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What was said, and by whom; the default is nobody's.
  private func said(_ setting: Setting) -> String? { flag(setting) ?? variable(setting) }

  private mutating func note(_ setting: Setting, _ value: String) {
    noted[setting] = .init(setting: setting, value: value, source: source(of: setting))
  }

  private mutating func refuse(_ setting: Setting, _ text: String, _ hint: String) {
    unreadable.insert(setting)
    problems.append("\(source(of: setting)): \u{201C}\(text)\u{201D} \(hint)")
  }

  /// A setting that has a default.
  mutating func read<Value>(_ setting: Setting, _ kind: SettingValue.Kind<Value>) -> Value {
    optional(setting, kind) ?? kind.fallback
  }

  /// A setting that may be nothing; `nil` as well where it cannot be read.
  mutating func optional<Value>(_ setting: Setting, _ kind: SettingValue.Kind<Value>) -> Value? {
    guard let text = said(setting) ?? setting.defaultText else {
      note(setting, "none")
      return nil
    }
    guard let value = kind.read(text) else {
      refuse(setting, text, kind.hint)
      return nil
    }
    note(setting, kind.write(value))
    return value
  }

  /// The token, from wherever it was said: a flag wins over a variable, also where one names the file. It is in no message.
  mutating func token(file: (String) -> [UInt8]?) -> String? {
    let isTyped = flag(.token) != nil || flag(.tokenFile) != nil
    let (text, path) = isTyped ? (flag(.token), flag(.tokenFile)) : (variable(.token), variable(.tokenFile))
    noted[.tokenFile] = .init(
      setting: .tokenFile, value: path ?? "none", source: path == nil ? .defaults : source(of: .tokenFile))
    let origin: ServeSettings.Source =
      text != nil ? source(of: .token) : path != nil ? source(of: .tokenFile) : .defaults
    noted[.token] = .init(setting: .token, value: text == nil && path == nil ? "none" : "set", source: origin)

    switch (text, path) {
    case (nil, nil): return nil
    case (_?, _?):
      unreadable.insert(.token)
      problems.append("\(source(of: .token)) and \(source(of: .tokenFile)) both say what the token is: leave one out")
      return nil
    case (let text?, nil):
      if SettingValue.isToken(text) { return text }
      unreadable.insert(.token)
      problems.append("\(source(of: .token)): that is no token: \(SettingValue.tokenHint)")
      return nil
    case (nil, let path?):
      guard let bytes = file(path) else {
        refuse(.tokenFile, path, "cannot be read")
        return nil
      }
      let token = String(decoding: bytes, as: UTF8.self).trimmingLineEnd
      if SettingValue.isToken(token) { return token }
      refuse(.tokenFile, path, "does not hold a token: \(SettingValue.tokenHint)")
      return nil
    }
  }
}

extension String {
  /// Without the one line end that editors and `echo` put at the end of a file.
  fileprivate var trimmingLineEnd: String {
    var bytes = utf8[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
