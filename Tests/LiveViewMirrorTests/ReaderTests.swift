import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import MirrorViews
import RenderedTree
import Synchronization
import Testing

/// During an update in place, a reader sees either the old or the new version completely, and its
/// copy stays unchanged.
@Suite struct ReaderTests {
  /// A page whose attribute, text, three list entries and component all show `number`.
  private static func page(_ number: Int) -> String {
    let text = "{\"0\":\"\(number)\"}"
    return #"""
      {"0":"\#(number)","1":"\#(number)","2":{"k":{"0":\#(text),"1":\#(text),"2":\#(text),"kc":3},"s":["<li>","</li>"]},
       "3":1,"s":["<div class=\"","\"><p>","</p><ul>","</ul>","</div>"],"c":{"1":{"0":"\#(number)","s":["<b>","</b>"]}}}
      """#
  }

  private static func diff(_ number: Int) -> String {
    // Every seventh diff sends the whole page. Each of the others also reorders the list.
    if number % 7 == 0 { return page(number) }
    let text = "{\"0\":\"\(number)\"}"
    return #"""
      {"0":"\#(number)","1":"\#(number)","2":{"k":{"0":[2,\#(text)],"1":[0,\#(text)],"2":[1,\#(text)],"kc":3}},
       "c":{"1":\#(text)}}
      """#
  }

  private static func markup(_ number: Int) -> String {
    let items = String(repeating: "<li>\(number)</li>", count: 3)
    return "<div class=\"\(number)\"><p>\(number)</p><ul>\(items)</ul><b>\(number)</b></div>"
  }

  private final class Progress: Sendable {
    let isDone = Atomic(false)
    let scoped = Atomic(0)
  }

  private struct Reading {
    var state: ViewState
    var version: Int
  }

  /// The violated invariant of one state of the view, if any.
  private static func fault(in state: ViewState) -> String? {
    let version = state.version
    if state.document.markup(of: state.document.root) != markup(version) {
      return "version \(version) shows \(state.document.markup(of: state.document.root))"
    }
    guard let rendering = try? state.rendered.render() else { return "version \(version) cannot be rendered" }
    if String(decoding: rendering.markup, as: UTF8.self) != markup(version) {
      return "the merged tree of version \(version) renders other markup"
    }
    if state.log.record(of: version) == nil || state.log.record(of: version + 1) != nil {
      return "the log does not end at version \(version)"
    }
    let faults = state.document.checkInvariants()
    return faults.isEmpty ? nil : faults.joined(separator: ", ")
  }

  @Test
  func `readers on other threads see whole versions during a thousand updates`() async throws {
    let view = try LiveViewCoordinator.mounted(Self.page(0))
    let progress = Progress()
    let faults = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var kept: [Reading] = []
          var (last, count) = (0, 0)
          while !progress.isDone.load(ordering: .acquiring) {
            guard let state = view.view else { return "the view is not mounted" }
            if state.version < last { return "version \(state.version) comes after \(last)" }
            last = state.version
            if let fault = Self.fault(in: state) { return fault }
            if let document = view.document, let text = document.children(of: document.root).first,
              let element = document.content(of: text)?.element, let version = element["class"].flatMap({ Int($0) }),
              document.markup(of: document.root) != Self.markup(version)
            {
              return "a document mixes two versions"
            }
            if view.log.record(of: last) == nil { return "the log has lost version \(last)" }
            count += 1
            if count % 16 == 0, kept.count < 64 { kept.append(Reading(state: state, version: state.version)) }
            await Task.yield()
          }
          for reading in kept {
            if reading.state.version != reading.version { return "the version of a copied state has changed" }
            if let fault = Self.fault(in: reading.state) { return "a copied state: \(fault)" }
          }
          return count > 0 ? nil : "nothing was read"
        }
      }
      group.addTask {
        defer { progress.isDone.store(true, ordering: .releasing) }
        for number in 1...1_000 {
          guard let record = try? view.update(Self.diff(number)) else { return "diff \(number) was refused" }
          if record.path == .scoped { progress.scoped.add(1, ordering: .relaxed) }
          if number % 4 == 0 { await Task.yield() }
        }
        return nil
      }
      return await group.reduce(into: [String]()) { faults, fault in if let fault { faults.append(fault) } }
    }
    #expect(faults == [])
    #expect(progress.scoped.load(ordering: .relaxed) > 800)
    // Past versions can still be read.
    #expect(view.view?.document(at: 500).map { $0.markup(of: $0.root) } == Self.markup(500))
  }

  @Test
  func `a copied state stays unchanged while the view is updated in place`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page(0))
    var copies: [(state: ViewState, json: JSONText, markup: String)] = []
    for number in 1...40 {
      let state = try #require(view.view)
      copies.append((state, state.rendered.json, state.document.markup(of: state.document.root)))
      try view.update(Self.diff(number))
      #expect(throws: UpdateError.self) { try view.update(#"{"0":"x","2":{"k":{"0":2,"2":0,"kc":3}},"9":""}"#) }
    }
    for (state, json, markup) in copies {
      #expect(state.rendered.json == json)
      #expect(state.document.markup(of: state.document.root) == markup)
      #expect(Self.fault(in: state) == nil)
    }
  }
}
