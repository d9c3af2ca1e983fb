import Foundation
import LiveViewMirror
import MarkupDocument
import MirrorAnalysis
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The lines of the app's templates on the page of a view.
@Suite final class TemplateExcerptTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "excerpts-\(UUID())")
  private let file: URL
  private static let past = Date(timeIntervalSince1970: 1_000_000)

  init() throws {
    file = folder.appending(path: "lib/shop_web/live/cart.ex")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: TemplateMatchTests.folder.appending(path: "lib/shop_web/live/cart.ex"), to: file)
    try touch(Self.past)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func touch(_ date: Date) throws {
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }

  private func edit(_ text: String, to other: String, at date: Date = TemplateExcerptTests.past) throws {
    try String(contentsOf: file, encoding: .utf8).replacing(text, with: other).write(
      to: file, atomically: true, encoding: .utf8)
    try touch(date)
  }

  private func client(readsFiles: Bool = true) throws -> Client {
    let client = try Client(templates: readsFiles ? TemplateFiles(folder: folder.path) : nil)
    let text = try String(contentsOf: TemplateMatchTests.folder.appending(path: "cart.json"), encoding: .utf8)
    #expect(try client.post("/views/main/rendered", text).status == 201)
    return client
  }

  /// The page after a diff, and the lines of code on it.
  private func page(_ diff: String, _ client: Client, query: String = "") throws -> (text: String, code: [String]) {
    #expect(try client.post("/views/main/diffs", diff).status == 200)
    let text = try client.get("/views/main\(query)", accept: "text/html").text
    let code = text.matches(of: /<code class="template">(.*)<\/code>/).map {
      String($0.1).replacing(/<span class="unseen">Template line (\d+): <\/span>/) { "\($0.1) " }
    }
    return (text, code)
  }

  @Test func `a change shows the line of its expression, marked`() throws {
    let page = try page(#"{"1":"Eve","4":{"0":"99"}}"#, try client())
    #expect(
      page.code == [
        "28 &lt;h1&gt;Cart   of <mark>{@name}</mark>: {length(@items)} item{if length(@items) == 1, do: &quot;&quot;, else: &quot;s&quot;}&lt;/h1&gt;",
        "33 Free shipping above <mark>{&quot;#{100}&quot;}</mark> EUR, {case @total do",
      ])
    // The link names the line of the expression, too.
    #expect(page.text.contains("cart.ex:33</span>"))
  }

  @Test func `a line is shown once, with all expressions of the diff`() throws {
    let page = try page(#"{"5":{"k":{"0":{"0":{"3":"A","5":"A"}},"1":{"0":{"3":"B","5":"B"}},"kc":2}}}"#, try client())
    #expect(
      page.code == [
        "17 &lt;span title={&quot;<mark>#{@name}</mark>: { #{@price} }&quot;}&gt;<mark>{@name}</mark>&lt;/span&gt; {@price} EUR"
      ])
  }

  @Test func `at most six lines are shown`() throws {
    let diff =
      #"{"0":" data-total=\"1\"","1":"x","10":"x","12":"x","13":"x","16":"x","7":{"0":"x"},"9":{"4":{"0":"x"},"5":{"0":{"0":"x"}}}}"#
    #expect(try page(diff, try client()).code.count == TemplateExcerpts.maximumCount)
  }

  @Test func `at most 32 templates are searched for expressions`() throws {
    let count = TemplateExcerpts.maximumTemplates + 8
    let text = String(repeating: "~H\"\"\"\n<p>\n{@a}\n</p>\n\"\"\"\n", count: count)
    try Data(text.utf8).write(to: folder.appending(path: "many.ex"))
    let fragments = (0..<count).map { number in
      #""\#(number)":{"0":"x","s":["<!-- <A.f> many.ex:\#(5 * number + 1) (a) --><p>","</p><!-- </A.f> -->"]}"#
    }
    let statics = Array(repeating: "\"\"", count: count + 1).joined(separator: ",")
    let view = try SampleView.mounted("{\(fragments.joined(separator: ",")),\"s\":[\(statics)]}", diffs: [])
    let slots = (0..<count).map { "\($0).0" }
    let excerpts = TemplateExcerpts(
      of: slots, from: view.templateSources(of: slots), in: view.rendered, at: 0,
      files: TemplateFiles(folder: folder.path))
    // The expression is two lines below the line that the annotation names.
    let lines = slots.compactMap { excerpts.sources[$0]?.location?.line }
    #expect(lines == (0..<count).map { 5 * $0 + ($0 < TemplateExcerpts.maximumTemplates ? 3 : 1) })
  }

  @Test func `without a folder there are no lines`() throws {
    let page = try page(#"{"1":"Eve"}"#, try client(readsFiles: false))
    #expect(page.code == [] && page.text.contains("cart.ex:28</span>"))
  }

  @Test func `if the file has other texts, the line of the annotation is shown alone`() throws {
    try edit("Cart   of", to: "Basket of")
    let page = try page(#"{"1":"Eve","4":{"0":"99"}}"#, try client())
    #expect(
      page.code.map { String($0.prefix(20)) } == ["28 &lt;h1&gt;Basket ", "29 &lt;p"] && !page.text.contains("<mark>"))
  }

  @Test func `if the file was changed after the diff, a line without proof is not shown`() throws {
    try edit("Cart   of", to: "Basket of", at: Date(timeIntervalSinceNow: 3_600))
    #expect(try page(#"{"1":"Eve"}"#, try client()).code == [])
    try edit("Basket of", to: "Cart   of", at: Date(timeIntervalSinceNow: 3_600))
    #expect(try page(#"{"1":"Eve"}"#, try client()).code.count == 1)
  }

  @Test func `a line that the file no longer has is not shown`() throws {
    try Data("defmodule ShopWeb.CartLive do\nend\n".utf8).write(to: file)
    try touch(Self.past)
    #expect(try page(#"{"1":"Eve"}"#, try client()).code == [])
  }

  @Test func `the tab of a node shows the line of its element`() throws {
    let client = try client()
    let text = try client.get("/views/main/nodes?selector=h1").json
    let node = try #require(text["nodes"][0]["node"].int)
    let page = try page(#"{"1":"Eve"}"#, client, query: "?node=\(node)")
    #expect(page.code.count == 1 && page.code[0].hasPrefix("28 &lt;h1&gt;Cart"))
    #expect(page.text.contains("Template: "))
  }

  @Test func `an annotation cannot name a file outside of the folder`() throws {
    try Data("<secret>\n".utf8).write(to: folder.appending(path: "../secret-\(folder.lastPathComponent).ex"))
    defer {
      try? FileManager.default.removeItem(at: folder.appending(path: "../secret-\(folder.lastPathComponent).ex"))
    }
    let client = try client()
    let name = "../secret-\(folder.lastPathComponent).ex"
    _ = try client.post(
      "/views/main/rendered",
      #"{"s":["<!-- <A.b> \#(name):1 (a) --><p data-phx-loc=\"1\">","</p><!-- </A.b> -->"],"0":"1"}"#)
    let page = try page(#"{"0":"2"}"#, client)
    #expect(page.code == [] && !page.text.contains("&lt;secret&gt;") && page.text.contains("secret-"))
  }
}
