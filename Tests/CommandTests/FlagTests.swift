import ArgumentParser
import CommandSupport
import Foundation
import Testing

@testable import liveview_mirror

/// Every option of every command, with a value that it accepts and one that it refuses.
@Suite struct FlagTests {
  private struct Row {
    let good: String
    /// `nil` for an option that accepts every text.
    let bad: String?
    init(_ good: String, _ bad: String?) { (self.good, self.bad) = (good, bad) }
  }

  /// The options of `serve` are settings.
  private static let settings: [String: Row] = [
    "address": Row("127.0.0.1", "localhost"), "port": Row("0", "80x"), "public": Row("Public", nil),
    "max-body": Row("4KiB", "16XB"), "allow-host": Row("mirror.test", "http://mirror"),
    "allow-origin": Row("http://localhost:4000", "*"), "token": Row("0123456789", "short"),
    "token-file": Row("token.txt", "missing.txt"), "journal": Row("mirror.sqlite", "mysql://host/db"),
    "versions": Row("1", "0"), "memory": Row("256MiB", "much"), "log-bytes": Row("1MB", "-1"),
    "page-bytes": Row("1MB", "1.5"), "max-views": Row("1", "none"), "max-clients": Row("1", "1e3"),
    "max-subscriptions": Row("1", "+1"), "expire": Row("500ms", "30"), "grace": Row("500ms", "8"),
    "page-images": Row("https", "http"), "editor": Row("vscode", "notepad"), "app-root": Row("/app", "app"),
    "source": Row("/", "missing-folder"),
    "app-origin": Row("http://localhost:4000", "localhost"), "app-styles": Row("/app.css", "app.css"),
    "log-level": Row("debug", "loud"), "log-format": Row("json", "xml"),
    "filter-parameters": Row("password", "a b"), "pipeline": Row("full", "half"),
  ]

  @Test func `every setting has a good and a bad value`() throws {
    #expect(Set(Self.settings.keys) == Set(Setting.all.filter { $0.form != .onOff }.map(\.name)))
    for (name, row) in Self.settings {
      #expect(throws: Never.self, "--\(name) \(row.good)") { try Self.read(["--\(name)", row.good]) }
      guard let bad = row.bad else { continue }
      let error = #expect(throws: SettingsError.self, "--\(name) \(bad)") { try Self.read(["--\(name)=\(bad)"]) }
      #expect(error?.problems.first?.hasPrefix("--\(name)") == true, "\(error?.problems ?? [])")
      #expect(error?.problems.first?.contains(#/ must | cannot be read/#) == true, "\(error?.problems ?? [])")
    }
  }

  private static func read(_ arguments: [String]) throws {
    let flags = try ServeFlags.parse(arguments)
    _ = try ServeSettings(flag: flags.text(of:), environment: [:]) {
      $0 == "token.txt" ? Array("0123456789".utf8) : nil
    }
  }

  /// The other commands: what precedes the option, then a good and a bad value of each.
  private static let commands: [(command: any ParsableCommand.Type, before: [String], options: [String: Row])] = [
    (Demo.self, [], ["pause": Row("500ms", "8")]),
    (
      Replay.self, ["a.har"],
      [
        "dialect": Row("native", "xml"), "container": Row("dead", "full"), "speed": Row("2", "fast"),
        "pipeline": Row("full", "half"),
      ]
    ),
    (
      CheckRecordings.self, ["a.har"],
      [
        "dialect": Row("native", "xml"), "budget": Row("b.yml", nil), "mount-bytes": Row("4KB", "4K"),
        "bytes": Row("4KiB", "-1"), "nodes": Row("5", "5KB"), "diffs": Row("any", "few"),
        "total-bytes": Row("1MB", "1.5"), "waste": Row("10%", "110%"), "idle-renders": Row("0.1", "2"),
        "latency-p50": Row("1.5s", "5"), "latency-p95": Row("200ms", "0.2"), "latency-p99": Row("1m", "soon"),
        "resent-lists": Row("1", "-1"), "lost-identities": Row("1", "x"), "duplicate-ids": Row("any", "none"),
        "rejected": Row("0", "0%"), "client-throws": Row("0", "1ms"), "version-skew": Row("1", "1.2"),
        "junit": Row("a.xml", nil), "markdown": Row("a.md", nil), "token": Row("x", nil), "token-file": Row("x", nil),
      ]
    ),
    (
      CheckRecordings.self, ["--attach", "http://a/", "--steps", "s.yml"],
      [
        "record": Row("a.ndjson", nil), "header": Row("a: b", nil), "cookie": Row("a=b", nil),
        "format": Row("swiftui", nil), "socket-path": Row("/live", nil),
      ]
    ),
    (
      CheckRecordings.self, [],
      ["attach": Row("http://a/ --steps s.yml", nil), "steps": Row("s.yml --attach http://a/", nil)]
    ),
    (
      CompareRecordings.self, ["a", "b"],
      [
        "dialect": Row("native", "xml"), "max-increase": Row("150%", "10"), "markdown": Row("a.md", nil),
        "token": Row("x", nil), "token-file": Row("x", nil),
      ]
    ),
    (
      PushEvent.self, ["main", "--event", "inc"],
      [
        "wait": Row("500ms", "5"), "value": Row(#"{"a":1}"#, "{"), "target": Row("1", "-1"), "type": Row("click", nil),
        "mirror": Row("http://a", nil), "token": Row("x", nil), "token-file": Row("x", nil), "event": Row("x", nil),
      ]
    ),
    (PushEvent.self, ["main"], ["node": Row("1", "first"), "selector": Row("#a", nil)]),
    (ImportFiles.self, ["a.har"], ["dialect": Row("native", "xml"), "mirror": Row("http://a", nil)]),
    (
      Healthcheck.self, [],
      ["address": Row("0.0.0.0", "localhost"), "port": Row("8080", "0"), "timeout": Row("500ms", "2")]
    ),
    (
      Attach.self, ["http://a/"],
      [
        "mirror": Row("http://a", nil), "token": Row("x", nil), "token-file": Row("x", nil), "for": Row("1s", nil),
        "give-up": Row("1m", nil), "port": Row("0", nil), "steps": Row("s.yml", nil), "record": Row("-", nil),
        "header": Row("a: b", nil), "cookie": Row("a=b", nil), "format": Row("swiftui", nil),
        "socket-path": Row("/live", nil),
      ]
    ),
  ]

  @Test func `every option of the other commands has a good and a bad value`() throws {
    for (command, before, options) in Self.commands {
      for (name, row) in options {
        let words = ["--\(name)"] + row.good.split(separator: " ", maxSplits: name == "header" ? 0 : 8).map(String.init)
        #expect(throws: Never.self, "\(command) \(words)") { try command.parse(before + words) }
        guard let bad = row.bad else { continue }
        let error = #expect(throws: (any Error).self, "\(command) --\(name) \(bad)") {
          try command.parse(before + ["--\(name)=\(bad)"])
        }
        let message = error.map { command.message(for: $0) } ?? ""
        #expect(message.hasPrefix("--\(name): “\(bad)” must be "), "\(message)")
      }
    }
  }

  @Test func `every option is in one of the tables`() throws {
    for command in LiveViewMirrorCommand.configuration.subcommands {
      let help = command.helpMessage(columns: 200)
      let options = Set(help.matches(of: /--([a-z][a-z0-9-]*) <[^>]+>/).map { String($0.1) })
      var known = Set(Self.commands.filter { $0.command == command }.flatMap(\.options.keys))
      if command == Serve.self || command == Demo.self || command == ImportFiles.self {
        known.formUnion(Self.settings.keys)
      }
      #expect(options.subtracting(known) == [], "\(command)")
    }
  }
}
