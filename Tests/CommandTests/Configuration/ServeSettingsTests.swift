import ArgumentParser
import LiveViewMirror
import Logging
import Testing

@testable import liveview_mirror

@Suite struct ServeSettingsTests {
  /// The settings of a command line and an environment.
  private func settings(
    _ arguments: [String] = [], _ environment: [String: String] = [:], files: [String: String] = [:]
  ) throws -> ServeSettings {
    let flags = try ServeFlags.parse(arguments)
    return try ServeSettings(flag: flags.text(of:), environment: environment) { files[$0].map { Array($0.utf8) } }
  }

  private func problems(
    _ arguments: [String] = [], _ environment: [String: String] = [:], files: [String: String] = [:]
  ) throws -> [String] {
    try #require(throws: SettingsError.self) { try settings(arguments, environment, files: files) }.problems
  }

  /// For every setting, two values that differ from the default, and their text in the log.
  static let samples: [String: (first: String, second: String, shown: [String])] = [
    "address": ("127.0.0.2", "::1", ["127.0.0.2", "::1"]),
    "port": ("9000", "0", ["9000", "0"]),
    "public": ("/a", "/b", ["/a", "/b"]),
    "max-body": ("1MB", "64KiB", ["1000000B", "64KiB"]),
    "allow-host": ("mirror", "a,b", ["mirror", "a,b"]),
    "allow-origin": ("http://a", "http://b:4000", ["http://a", "http://b:4000"]),
    "token": ("12345678", "abcdefgh", ["set", "set"]),
    "token-file": ("/one", "/two", ["/one", "/two"]),
    "insecure": ("true", "true", ["true", "true"]),
    "journal": (
      "mirror.sqlite", "postgres://ada:secret@db/app?sslmode=require", ["mirror.sqlite", "postgres://ada@db/app"]
    ),
    "versions": ("5", "6", ["5", "6"]),
    "memory": ("1GiB", "2GiB", ["1GiB", "2GiB"]),
    "log-bytes": ("1GiB", "2GiB", ["1GiB", "2GiB"]),
    "page-bytes": ("1GiB", "2GiB", ["1GiB", "2GiB"]),
    "max-views": ("7", "8", ["7", "8"]),
    "max-clients": ("9", "10", ["9", "10"]),
    "max-subscriptions": ("11", "12", ["11", "12"]),
    "expire": ("30s", "2h", ["30s", "2h"]),
    "grace": ("1s", "1m", ["1s", "1m"]),
    "log-level": ("debug", "error", ["debug", "error"]),
    "log-format": ("json", "JSON", ["json", "json"]),
    "page-images": ("https", "HTTPS", ["https", "https"]),
    "editor": ("zed", "cursor", ["zed", "cursor"]),
    "app-root": ("/home/ada/shop", "/srv/shop", ["/home/ada/shop", "/srv/shop"]),
    "source": ("/", "/usr", ["/", "/usr"]),
    "app-origin": ("http://localhost:4000", "HTTPS://App.test", ["http://localhost:4000", "https://app.test"]),
    "app-styles": ("/a.css", "/a.css,/b.css?v=1", ["/a.css", "/a.css,/b.css?v=1"]),
    "filter-parameters": ("none", "pin,code", ["none", "pin,code"]),
    "pipeline": ("full", "full", ["full", "full"]),
    "verify": ("yes", "1", ["true", "true"]),
  ]

  private static let files = ["/one": "12345678\n", "/two": "abcdefgh"]

  private func arguments(_ setting: Setting, _ value: String) -> [String] {
    (setting.form == .onOff) ? [setting.flag] : [setting.flag, value]
  }

  // MARK: - Every setting

  @Test func `without flags every setting has its default and is listed once`() throws {
    let settings = try settings()
    #expect(settings.shown.map(\.setting) == Setting.all)
    for shown in settings.shown {
      #expect(shown.source == .defaults)
      #expect(shown.value == shown.setting.defaultText ?? "none")
    }
    #expect((settings.address, settings.port, settings.maximumBodyBytes) == ("127.0.0.1", 8080, 16 << 20))
    #expect(settings.limits == MirrorLimits())
    #expect(settings.options == UpdateOptions(drawsPage: true))
    #expect((settings.token, settings.publicFolder) == (nil, nil))
    #expect((settings.grace, settings.logLevel) == (.seconds(8), .info))
  }

  @Test(arguments: Setting.all)
  func `a setting is read from its flag or its variable, and the flag takes precedence`(setting: Setting) throws {
    let sample = try #require(Self.samples[setting.name])
    func shown(_ arguments: [String], _ environment: [String: String]) throws -> ServeSettings.Shown {
      try #require(
        try settings(arguments, environment, files: Self.files).shown.first { $0.setting == setting })
    }
    let byFlag = try shown(arguments(setting, sample.first), [:])
    #expect((byFlag.value, byFlag.source) == (sample.shown[0], .flag(setting)))
    let byVariable = try shown([], [setting.variable: sample.second])
    #expect((byVariable.value, byVariable.source) == (sample.shown[1], .variable(setting)))
    let byBoth = try shown(arguments(setting, sample.first), [setting.variable: sample.second])
    #expect((byBoth.value, byBoth.source) == (sample.shown[0], .flag(setting)))
    let byEmpty = try shown([], [setting.variable: ""])
    #expect(byEmpty.source == .defaults)
  }

  @Test(arguments: Setting.all.filter { $0.name != "public" && $0.name != "journal" })
  func `an invalid value is reported with its flag or variable and the expected value`(setting: Setting) throws {
    let bad = "no such\u{7}thing"
    let variable = try problems([], [setting.variable: bad])
    #expect(variable.count == 1)
    #expect(variable[0].hasPrefix("\(setting.variable): "))
    #expect(variable[0].contains(/must |cannot be read/))
    if !(setting.form == .onOff) {
      let flag = try problems([setting.flag, bad])
      #expect(flag == variable.map { $0.replacing(setting.variable, with: setting.flag) })
    }
  }

  @Test(arguments: Setting.all)
  func `the help lists every setting with its variable and default`(setting: Setting) {
    let help = Serve.helpMessage(columns: 10_000)
    #expect(help.contains(setting.flag + ((setting.form == .onOff) ? "/" : " ")))
    #expect(help.contains("[\(setting.variable)\(setting.defaultText.map { "; default: \($0)" } ?? "")]"))
  }

  @Test func `variables have the names of their flags`() {
    #expect(SettingsTable.rows.maxBody.setting.variable == "MIRROR_MAX_BODY")
    #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
  }

  @Test func `all invalid settings are reported at once`() throws {
    #expect(
      try problems(["--port", "80x", "--expire", "5"], ["MIRROR_MAX_BODY": "-1"]) == [
        "--port: “80x” must be a port from 0 to 65535",
        "MIRROR_MAX_BODY: “-1” must be a number of bytes ≥ 1, alone or with KB, MB, GB, KiB, MiB or GiB, such as 16MiB",
        "--expire: “5” must be a time with a unit, such as 500ms, 30s, 15m, 2h or 1d, or never",
      ])
  }

  // MARK: - Values

  @Test(arguments: [
    ("1", 1), ("16000000", 16_000_000), ("16MB", 16_000_000), ("16MiB", 16 << 20), ("16mib", 16 << 20), ("3kb", 3_000),
    ("3KiB", 3 << 10), ("2GB", 2_000_000_000), ("2GiB", 2 << 30), ("7B", 7), ("1.5MB", 1_500_000),
  ]) func `sizes have units`(text: String, bytes: Int) throws {
    #expect(try settings(["--max-body", text]).maximumBodyBytes == bytes)
    #expect(try settings(["--log-bytes", text]).limits.logBytes == bytes)
  }

  @Test(arguments: [
    "", "0", "0MB", "-1", "+1", "1.5", "MB", "16M", "9223372036854775808", "9223372036854775807KB", "١",
  ]) func `an invalid size is refused`(text: String) {
    #expect(SettingKind<Int>.size.read(text) == nil)
  }

  @Test(arguments: [("30s", 30), ("15m", 900), ("2h", 7_200), ("1d", 86_400), ("2H", 7_200)])
  func `times have units`(text: String, seconds: Int) throws {
    #expect(try settings([], ["MIRROR_EXPIRE": text]).limits.expiry == .seconds(seconds))
  }

  @Test(arguments: ["", "0s", "30", "-1h", "1w", "99999999999d", "s", "forever"])
  func `an invalid time is refused`(text: String) {
    #expect(SettingKind<Duration?>.expiry.read(text) == nil)
  }

  @Test func `a flag can disable the expiry that a variable sets`() throws {
    #expect(try settings(["--expire", "never"], ["MIRROR_EXPIRE": "1h"]).limits.expiry == nil)
  }

  @Test func `the grace period may be zero but not longer than its maximum`() throws {
    #expect(try settings(["--grace", "0s"]).grace == .zero)
    #expect(try settings(["--grace", "1h"]).grace == .seconds(3_600))
    #expect(SettingKind<Duration>.grace.read("2h") == nil)
  }

  @Test(arguments: [("1", true), ("true", true), ("YES", true), ("0", false), ("False", false), ("no", false)])
  func `yes and no have several spellings`(text: String, value: Bool) throws {
    #expect(try settings([], ["MIRROR_VERIFY": text]).options.verifies == value)
  }

  @Test func `a flag can turn off a switch that its variable turns on`() throws {
    #expect(try settings(["--no-verify"], ["MIRROR_VERIFY": "1"]).options.verifies == false)
  }

  @Test func `the connection limit must exceed the limit of event clients`() throws {
    // Three of four connections may be streams.
    for clients in [1, 500, 767, 769, 5_000, 1_000_000] {
      #expect(try settings(["--max-clients", "\(clients)"], [:]).connections(possible: .max) / 4 * 3 >= clients)
    }
    #expect(try settings(["--max-clients", "\(Int.max)"], [:]).connections(possible: .max) == 2 << 20)
  }

  @Test func `only connections that nobody has asked for are given up`() throws {
    #expect(try settings([], [:]).connections(possible: 960) == 960)
    #expect(try settings([], [:]).connections(possible: 0) == 2)
    #expect(try settings(["--max-clients", "100"], [:]).connections(possible: 960) == 960)
    #expect(try settings(["--max-clients", "500"], [:]).connections(possible: 960) == 960)
    #expect(try settings(["--max-clients", "900"], [:]).connections(possible: 960) == 1_200)
    #expect(try settings([], ["MIRROR_MAX_CLIENTS": "100"]).connections(possible: 64) == 136)
  }

  @Test func `list values are separated by commas or given by several flags`() throws {
    #expect(
      try settings([], ["MIRROR_ALLOW_HOST": "mirror, .example.test,10.0.0.7"]).allowedHosts == [
        "mirror", ".example.test", "10.0.0.7",
      ])
    #expect(
      try settings(["--allow-origin", "http://a", "--allow-origin", "https://b:8443,http://[::1]:4000"]).allowedOrigins
        == ["http://a", "https://b:8443", "http://[::1]:4000"])
    // A browser extension also has an origin.
    #expect(
      try settings(["--allow-origin", "chrome-extension://abcdef"]).allowedOrigins == ["chrome-extension://abcdef"])
  }

  @Test(arguments: ["http://mirror", "mirror:8080", "a b", "*", ".", "a..b", ",", "a/b", "a@b", "[mirror]"])
  func `an invalid host is refused`(text: String) {
    #expect(SettingKind<[String]>.hosts.read(text) == nil)
  }

  @Test(arguments: [
    "*", "null", "localhost:4000", "http://", "http://*", "http://a/", "http://a/b", "http://a:0", "http://a:x",
    "a", "http://a@b", "http://::1:4000", "http://.a", "http://a, *",
  ]) func `an invalid origin is refused`(text: String) {
    #expect(SettingKind<[String]>.origins.read(text) == nil)
  }

  @Test func `verification without the scoped pipeline is refused`() throws {
    #expect(try problems(["--pipeline", "full"], ["MIRROR_VERIFY": "1"]).count == 1)
  }

  // MARK: - Tokens

  @Test func `a token comes from a flag, a variable or a file, in this order`() throws {
    let files = Self.files
    #expect(try settings(["--token", "abcdefgh"], ["MIRROR_TOKEN": "ijklmnop"]).token == "abcdefgh")
    #expect(try settings([], ["MIRROR_TOKEN": "ijklmnop"]).token == "ijklmnop")
    #expect(try settings(["--token-file", "/one"], files: files).token == "12345678")
    #expect(try settings(["--token-file", "/one"], ["MIRROR_TOKEN": "ijklmnop"], files: files).token == "12345678")
    #expect(try settings(["--token", "abcdefgh"], ["MIRROR_TOKEN_FILE": "/one"], files: files).token == "abcdefgh")
    #expect(try settings([], ["MIRROR_TOKEN_FILE": "/w"], files: ["/w": "12345678\r\n"]).token == "12345678")
  }

  @Test func `the list of settings shows only whether a token is set`() throws {
    let settings = try settings(["--token-file", "/one"], ["MIRROR_TOKEN": "ijklmnop"], files: Self.files)
    let tokenFile = SettingsTable.rows.tokenFile.setting
    let shown = settings.shown.filter { $0.setting == SettingsTable.rows.token.setting || $0.setting == tokenFile }
    #expect(shown.map(\.value) == ["set", "/one"])
    #expect(shown.map(\.source) == [.flag(tokenFile), .flag(tokenFile)])
    #expect(!"\(settings.shown)".contains("12345678") && !"\(settings.shown)".contains("ijklmnop"))
  }

  @Test func `a token that is short or has invalid characters is refused and not printed`() throws {
    for token in [
      "short12", "with blank", "quote\"quote", "semi;colon", "ünicode-token", String(repeating: "a", count: 513),
    ] {
      for problem in [try problems(["--token", token]), try problems([], ["MIRROR_TOKEN": token])] {
        #expect(problem.count == 1)
        #expect(!problem[0].contains(token))
      }
      #expect(try problems(["--token-file", "/t"], files: ["/t": token]).count == 1)
    }
    #expect(try problems(["--token-file", "/none"]) == ["--token-file: “/none” cannot be read"])
  }

  @Test func `two tokens of one kind are refused`() throws {
    #expect(
      try problems([], ["MIRROR_TOKEN": "abcdefgh", "MIRROR_TOKEN_FILE": "/one"], files: Self.files) == [
        "MIRROR_TOKEN and MIRROR_TOKEN_FILE both set the token: remove one"
      ])
  }

  // MARK: - Other addresses than localhost

  @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "128.0.0.1", "fe80::1", "::ffff:10.0.0.1", "::127.0.0.1"])
  func `listening on other addresses than localhost requires a token or an explicit opt-out`(address: String) throws {
    let problem = try problems(["--address", address])
    #expect(problem.count == 1)
    for way in ["--address", address, "MIRROR_TOKEN", "--token-file", "--insecure", "MIRROR_INSECURE=1"] {
      #expect(problem[0].contains(way))
    }
    #expect(try problems([], ["MIRROR_ADDRESS": address])[0].hasPrefix("MIRROR_ADDRESS: "))
    #expect(try settings(["--address", address, "--token", "abcdefgh"]).address == address)
    #expect(try settings(["--address", address, "--insecure"]).token == nil)
    #expect(try settings(["--address", address, "--insecure", "--token", "abcdefgh"]).token == "abcdefgh")
    #expect(try problems(["--address", address, "--no-insecure"], ["MIRROR_INSECURE": "1"]).count == 1)
  }

  @Test(arguments: ["127.0.0.1", "127.255.0.3", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])
  func `listening on localhost requires no token`(address: String) throws {
    #expect(try settings(["--address", address]).address == address)
  }

  @Test(arguments: ["localhost", "127.1", "1.2.3", "127.0.0.1:80", "[::1]", "2130706433", ""])
  func `an invalid address is refused`(address: String) {
    #expect(IPAddress(address) == nil)
  }
}
