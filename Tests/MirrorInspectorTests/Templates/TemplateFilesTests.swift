import Foundation
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// Which files the inspector reads, and what a mirrored page tries in order to read others.
@Suite final class TemplateFilesTests {
  /// The folder above the app's folder.
  private let outer: URL
  private let app: URL

  init() throws {
    outer = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID())")
    app = outer.appending(path: "app")
    try FileManager.default.createDirectory(at: app.appending(path: "lib/web"), withIntermediateDirectories: true)
    try write("app/lib/web/cart.ex", "defmodule A do\n  <p>\n")
    try write("secret.ex", "<secret>\n")
    try write("app-2/secret.ex", "<secret>\n")
  }

  deinit { try? FileManager.default.removeItem(at: outer) }

  private func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }

  private func write(_ path: String, _ data: Data) throws {
    let file = outer.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: app.appending(path: path).path, withDestinationPath: target)
  }

  private func files() throws -> TemplateFiles { try #require(TemplateFiles(folder: app.path)) }

  @Test(arguments: [".ex", ".heex", ".html.heex"])
  func `a template below the folder is read`(ending: String) throws {
    try write("app/lib/web/x\(ending)", "<p>\n")
    let file = try #require(try files().file("lib/web/x\(ending)"))
    #expect(file.bytes == Array("<p>\n".utf8) && file.isHEEx == ending.hasSuffix(".heex"))
  }

  @Test func `a path that leads out of the folder is refused`() throws {
    let files = try files()
    for path in [
      "../secret.ex", "lib/../../secret.ex", "lib/../lib/web/cart.ex", "./lib/web/cart.ex", "..", "../app-2/secret.ex",
      outer.appending(path: "secret.ex").path, app.appending(path: "lib/web/cart.ex").path, "//secret.ex",
      "lib//web/cart.ex", "/etc/passwd", "lib/web/cart.ex/", "", "/", ".ex",
    ] { #expect(files.file(path) == nil, "\(path)") }
    #expect(files.file("lib/web/cart.ex") != nil)
  }

  @Test func `other endings, hidden files and names with NUL are refused`() throws {
    let files = try files()
    for name in ["x.txt", "x.pem", "x.exs", "x.eex", "x.leex", "x.ex.bak", "mix.lock", ".x.ex", "x.EX"] {
      try write("app/lib/\(name)", "<p>\n")
      #expect(files.file("lib/\(name)") == nil, "\(name)")
    }
    try write("app/.git/x.ex", "<p>\n")
    for path in [".git/x.ex", "lib/web/cart.ex\u{0}.ex", "lib/web/cart.ex\u{0}", "lib\u{0}/x.ex"] {
      #expect(files.file(path) == nil, "\(path)")
    }
    #expect(files.file(String(repeating: "a/", count: 10_000) + "x.ex") == nil)
  }

  @Test func `symbolic links are not followed`() throws {
    try link("lib/out.ex", to: "../../secret.ex")
    try link("lib/absolute.ex", to: outer.appending(path: "secret.ex").path)
    try link("lib/folder", to: "../..")
    try link("lib/loop.ex", to: "loop.ex")
    try link("lib/inner.ex", to: "web/cart.ex")
    try link("lib/passwd.ex", to: "/etc/passwd")
    let files = try files()
    for path in [
      "lib/out.ex", "lib/absolute.ex", "lib/folder/secret.ex", "lib/loop.ex", "lib/inner.ex", "lib/passwd.ex",
    ] {
      #expect(files.file(path) == nil, "\(path)")
    }
  }

  @Test func `folders and pipes are not read`() throws {
    try FileManager.default.createDirectory(at: app.appending(path: "lib/folder.ex"), withIntermediateDirectories: true)
    #expect(mkfifo(app.appending(path: "lib/pipe.ex").path, 0o600) == 0)
    let files = try files()
    for path in ["lib/folder.ex", "lib/pipe.ex", "lib/web", "lib/missing.ex", "lib/web/cart.ex/x.ex"] {
      #expect(files.file(path) == nil, "\(path)")
    }
  }

  @Test func `a file must be UTF-8 text of at most 1 MiB`() throws {
    try write("app/lib/large.ex", Data(repeating: 0x20, count: TemplateFiles.maximumBytes + 1))
    try write("app/lib/most.ex", Data(repeating: 0x20, count: TemplateFiles.maximumBytes))
    try write("app/lib/latin.ex", Data([0x3C, 0xE9, 0x3E]))
    try write("app/lib/binary.ex", Data([0x3C, 0, 0x3E]))
    let files = try files()
    for name in ["large", "latin", "binary"] { #expect(files.file("lib/\(name).ex") == nil, "\(name)") }
    #expect(files.file("lib/most.ex") != nil)
  }

  @Test func `a changed file is read again, and a removed one is not remembered`() throws {
    let files = try files()
    #expect(files.file("lib/web/cart.ex")?.line(2)?.elementsEqual("  <p>".utf8) == true)
    try write("app/lib/web/cart.ex", "defmodule A do\n  <ul>\n")
    #expect(files.file("lib/web/cart.ex")?.line(2)?.elementsEqual("  <ul>".utf8) == true)
    try FileManager.default.removeItem(at: app.appending(path: "lib/web/cart.ex"))
    #expect(files.file("lib/web/cart.ex") == nil)
    for number in 0..<100 { try write("app/lib/\(number).ex", "<p>\(number)\n") }
    for number in 0..<100 {
      #expect(files.file("lib/\(number).ex")?.line(1)?.elementsEqual("<p>\(number)".utf8) == true)
    }
  }

  @Test func `only a line with a tag or a template can be annotated`() {
    let file = TemplateFile(bytes: Array("def a do\n  ~H\"\"\"\n  <p>\n\"\"\"\nend".utf8), modified: 0, isHEEx: false)
    #expect((-1...7).filter { file.annotated($0) != nil } == [2, 3])
    #expect(file.line(5)?.elementsEqual("end".utf8) == true && file.line(6) == nil && file.line(0) == nil)
    #expect(file.annotated(.min) == nil && file.annotated(.max) == nil)
  }

  @Test func `a line is shown without its indentation, cut at 200 bytes, with visible marks`() throws {
    func html(_ line: String, marking text: String? = nil) -> String {
      let bytes = Array(line.utf8)
      let file = TemplateFile(bytes: bytes, modified: 0, isHEEx: true)
      let mark = text.flatMap { bytes.firstRange(of: Array($0.utf8)) }
      let html =
        file.excerpt(1, marking: mark.map { [$0] } ?? []).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      return html.replacing(#"<span class="unseen">Template line 1: </span>"#, with: "").trimmingCharacters(
        in: .newlines)
    }
    #expect(html("  \t<p>{@a}</p> \r") == #"<code class="template">&lt;p&gt;{@a}&lt;/p&gt;</code>"#)
    #expect(html("<p>{@a}", marking: "{@a}") == #"<code class="template">&lt;p&gt;<mark>{@a}</mark></code>"#)
    #expect(html("   ") == "")
    let long = String(repeating: "é", count: 300)
    #expect(html(long) == "<code class=\"template\">\(String(repeating: "é", count: 100))…</code>")
    let late = html(long + "{@a}" + long, marking: "{@a}")
    #expect(
      late.contains("é<mark>{@a}</mark>é") && late.hasPrefix("<code class=\"template\">…é")
        && late.hasSuffix("é…</code>"))
    #expect(html("<p>{@a\u{202E}}") == #"<code class="template">&lt;p&gt;{@a⟨U+202E⟩}</code>"#)
  }

  @Test func `a folder must exist`() {
    #expect(TemplateFiles(folder: outer.appending(path: "missing").path) == nil)
    #expect(TemplateFiles(folder: app.appending(path: "lib/web/cart.ex").path) == nil)
    #expect(TemplateFiles(folder: "") == nil)
    #expect(TemplateFiles(folder: app.path + "/") != nil)
  }
}
