import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// A mirror that has missed frames gets the tree and the markup that the client holds.
@Suite struct ResumedViewTests {
  private let decoder = WireDecoder()

  /// The line of a feed that resumes a view.
  private func line(_ tree: String, over markup: String) -> String {
    #"{"at":1764000000000,"sent":false,"over":"resumed","before":\#(JSON.string(markup).text),"#
      + #""frame":["4","4","lv:client","phx_reply",{"status":"ok","response":{"rendered":\#(tree)}}]}"#
  }

  /// The cases whose DOM has the client's own attributes.
  private static let cases = ClientCase.all.filter {
    $0.file != "changes" && ClientCaseTests.exceptions[$0.description] == nil
  }

  private func resumed(_ tree: String, over markup: String, client: String, _ options: UpdateOptions) throws
    -> LiveViewCoordinator
  {
    let view = LiveViewCoordinator(id: "lv:client", options: options)
    var message = try #require(try decoder.decode(Array(line(tree, over: markup).utf8), as: .frames).first).get()
    message.clientVersion = client
    #expect(try view.receive(message, dialect: .html)?.version == 0)
    return view
  }

  @Test(arguments: [#""over":"resumed","before":7"#, #""over":5"#])
  func `what the client holds must be a string`(members: String) throws {
    let frame = #"["4","4","lv:client","phx_reply",{"status":"ok","response":{"rendered":{"s":["<p></p>"]}}}]"#
    let line = #"{"at":1,"sent":false,\#(members),"frame":\#(frame)}"#
    #expect(throws: WireError.self) { try decoder.decode(Array(line.utf8), as: .frames) }
  }

  @Test(arguments: ["full", "scoped"])
  func `after any step, a view can be resumed from the client's DOM, and later diffs lead to the same DOM`(
    pipeline: String
  ) throws {
    let options = UpdateOptions(pipeline: pipeline == "full" ? .full : .scoped).withAnalyses
    var (failures, count) = ([String](), 0)
    for known in Self.cases {
      let original = LiveViewCoordinator(id: "lv:client", options: options)
      /// The resumed views, by the step after which they were resumed.
      var views: [Int: LiveViewCoordinator] = [:]
      for (index, step) in known.steps.enumerated() {
        guard let dom = step.dom, step.outside == nil, step.error == nil else { break }
        func message() throws -> WireMessage {
          var message = try decoder.update(step.payload, isMount: step.isMount)
          message.clientVersion = known.client
          return message
        }
        if step.isMount { views = [:] }
        _ = try original.receive(
          try message(), dialect: .html, container: ContainerContent(rawValue: known.container))
        for view in views.values { _ = try view.receive(try message(), dialect: .html) }
        let tree = try #require(original.view?.rendered.json.text)
        views[index] = try resumed(tree, over: ClientNode.markup(dom), client: known.client, options)
        for (after, view) in views.sorted(by: { $0.key < $1.key }) {
          count += 1
          let document = try #require(view.document)
          #expect(document.checkInvariants() == [], "\(known)")
          let (client, mirror) = (ClientTree(dom), ClientTree(document))
          if client != mirror {
            failures.append(
              "\(known)\n  resumed after \(after), step \(index)\n  client \(client.markup)\n  mirror \(mirror.markup)")
            views[after] = nil
          }
        }
      }
    }
    print("\(failures.count) of \(count) documents of resumed views differ from the client's DOM")
    // The other categories have pages of which a DOM does not tell how the client came there: roots
    // that the client does not find, open `details`, options that were selected, portals.
    #expect(failures.count * 25 < count)
    let plain = failures.filter { $0.contains("/random-core/") }
    #expect(plain.isEmpty, "\(plain.count): \(plain.prefix(3).joined(separator: "\n\n"))")
  }
}

extension ClientNode {
  /// What `innerHTML` returns.
  fileprivate static func markup(_ nodes: [ClientNode]) -> String { nodes.map(\.markup).joined() }

  private var markup: String {
    switch self {
    case .text(let text): return Self.escaped(text)
    case .comment(let text): return "<!--\(text)-->"
    case .element(let tag, _, let attributes, let children):
      // The tap leaves out what portals show.
      if attributes["data-phx-teleported"] != nil { return "" }
      let names = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
      let voids: Set = ["area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
      if voids.contains(tag) { return "<\(tag)\(names)>" }
      let isRaw = ["script", "style"].contains(tag)
      let content = children.map { child in
        if isRaw, case .text(let text) = child { return text }
        return child.markup
      }
      return "<\(tag)\(names)>\(content.joined())</\(tag)>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
