internal import ArgumentParser

/// The flags of `serve`, as they were typed: what they mean is read together with the environment, see
/// ``ServeSettings``. `nil` where a flag was not given.
struct ServeFlags: ParsableArguments {
  @Option(.address) var address: String?
  @Option(.port) var port: String?
  @Option(.publicFolder) var publicFolder: String?
  @Option(.maxBody) var maxBody: String?
  @Option(.allowHost) var allowHost: [String] = []
  @Option(.allowOrigin) var allowOrigin: [String] = []
  @Option(.token) var token: String?
  @Option(.tokenFile) var tokenFile: String?
  @Flag(.insecure) var insecure: Bool?
  @Option(.versions) var versions: String?
  @Option(.logBytes) var logBytes: String?
  @Option(.pageBytes) var pageBytes: String?
  @Option(.maxViews) var maxViews: String?
  @Option(.maxClients) var maxClients: String?
  @Option(.maxSubscriptions) var maxSubscriptions: String?
  @Option(.expire) var expire: String?
  @Option(.grace) var grace: String?
  @Option(.pageImages) var pageImages: String?
  @Option(.logLevel) var logLevel: String?
  @Option(.logFormat) var logFormat: String?
  @Option(.pipeline) var pipeline: String?
  @Flag(.verify) var verify: Bool?

  /// What was typed for one, a list with commas.
  func text(of setting: Setting) -> String? {
    switch setting {
    case .address: address
    case .port: port
    case .publicFolder: publicFolder
    case .maxBody: maxBody
    case .allowHost: allowHost.isEmpty ? nil : allowHost.joined(separator: ",")
    case .allowOrigin: allowOrigin.isEmpty ? nil : allowOrigin.joined(separator: ",")
    case .token: token
    case .tokenFile: tokenFile
    case .insecure: insecure.map(String.init)
    case .versions: versions
    case .logBytes: logBytes
    case .pageBytes: pageBytes
    case .maxViews: maxViews
    case .maxClients: maxClients
    case .maxSubscriptions: maxSubscriptions
    case .expire: expire
    case .grace: grace
    case .pageImages: pageImages
    case .logLevel: logLevel
    case .logFormat: logFormat
    case .pipeline: pipeline
    case .verify: verify.map(String.init)
    }
  }
}

extension Setting {
  fileprivate var help: ArgumentHelp {
    let holds = defaultText.map { "; default: \($0)" } ?? ""
    return ArgumentHelp("\(summary) [\(variable)\(holds)]", valueName: placeholder)
  }
}

extension Option where Value == String? {
  fileprivate init(_ setting: Setting) { self.init(name: .customLong(setting.name), help: setting.help) }
}

extension Option where Value == [String] {
  fileprivate init(wrappedValue: [String], _ setting: Setting) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(setting.name), parsing: .singleValue, help: setting.help)
  }
}

extension Flag where Value == Bool? {
  fileprivate init(_ setting: Setting) {
    self.init(name: .customLong(setting.name), inversion: .prefixedNo, help: setting.help)
  }
}
