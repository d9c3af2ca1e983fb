import MirrorAnalysis
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// `GET /views/{view}/compare`: the changes between two versions.
@Suite struct CompareTests {
  /// A counter and a list, at version 3.
  private func counter(limits: MirrorLimits = MirrorLimits(), diffs: Int = 3) throws -> Client {
    let client = try Client(limits: limits)
    _ = try client.post(
      "/views/main/rendered",
      #"{"0":"0","1":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"kc":1}},"s":["<p>","</p><ul>","</ul>"]}"#)
    for count in 1...diffs {
      let entry = #""1":{"k":{"\#(count)":{"0":"\#(count)"},"kc":\#(count + 1)}}"#
      _ = try client.post("/views/main/diffs", #"{"0":"\#(count)",\#(entry)}"#)
    }
    return client
  }

  @Test func `the response has all changes between the two versions`() throws {
    let client = try counter()
    let answer = try client.get("/views/main/compare?from=1&to=3")
    #expect(answer.status == 200)
    #expect(
      answer.json.keys == ["view", "epoch", "version", "from", "to", "at", "nodes", "changes", "notified"])
    #expect((answer.json["from"].int, answer.json["to"].int, answer.json["version"].int) == (1, 3, 3))
    #expect(answer.json["at"] == (try client.get("/views/main/log/3").json["at"]))
    #expect(
      answer.json["changes"].description == """
        [{"after":"3","before":"1","node":3,"op":"text","parent":2,"slots":[]},\
        {"index":2,"kind":"element","node":9,"nodes":2,"op":"add","parent":4,"slots":[],"tag":"li"},\
        {"index":3,"kind":"element","node":11,"nodes":2,"op":"add","parent":4,"slots":[],"tag":"li"}]
        """)
    #expect(answer.json["notified"].array.map(\.int) == [2, 4])
  }

  @Test func `an earlier version can be the target, and brings removed nodes back with their numbers`() throws {
    let changes = try counter().get("/views/main/compare?from=3&to=2").json["changes"]
    #expect(
      changes.description == """
        [{"after":"2","before":"3","node":3,"op":"text","parent":2,"slots":[]},\
        {"index":3,"kind":"element","node":11,"nodes":2,"op":"remove","parent":4,"slots":[],"tag":"li"}]
        """)
  }

  @Test func `without to, the target is the current version`() throws {
    let client = try counter()
    #expect(try client.get("/views/main/compare?from=2").json == client.get("/views/main/compare?from=2&to=3").json)
  }

  @Test func `a version compared with itself has no changes`() throws {
    let answer = try counter().get("/views/main/compare?from=2&to=2").json
    #expect(answer["changes"].array.isEmpty && answer["notified"].array.isEmpty)
  }

  @Test func `as text, the response has a line for each change`() throws {
    let answer = try counter().get("/views/main/compare?from=1&to=3", accept: "text/plain")
    #expect(answer.type == "text/plain; charset=utf-8")
    #expect(
      answer.text == """
        main v1 → v3  3 nodes changed, 2 to notify
        ~ 3 text   "1" → "3"  in 2 <p>
        + 9 <li>   2 nodes    under 4 <ul> at 2
        + 11 <li>  2 nodes    under 4 <ul> at 3

        """)
  }

  @Test func `the changes between any two versions turn the first document into the second`() throws {
    for place in stride(from: 0, to: Recording.committed.count, by: 12) {
      let recording = Recording.committed[place]
      let view = try SampleView.recorded(recording)
      let versions = Array(stride(from: view.firstVersion, through: view.version, by: max(1, view.version / 3)))
      for from in versions {
        for to in versions {
          let comparison = try #require(view.comparison(from: from, to: to))
          var document = try #require(view.document(at: from))
          document.apply(comparison.changeSet)
          #expect(document.isSame(as: try #require(view.document(at: to))), "\(recording.name) \(from) → \(to)")
        }
      }
    }
  }

  @Test func `an evicted version is a 410, one that does not exist a 404, and one that is no number a 400`() throws {
    let client = try counter(limits: MirrorLimits(versions: 8), diffs: 20)
    let gone = try client.get("/views/main/compare?from=0&to=20")
    #expect(gone.status == 410)
    #expect(gone.json["detail"].string?.contains("Version 0 of view \"main\" is no longer kept") == true)
    #expect(try client.get("/views/main/compare?from=20&to=0").status == 410)
    #expect(try client.get("/views/main/compare?from=20&to=21").status == 404)
    #expect(try client.get("/views/main/compare?from=21").status == 404)
    #expect(try client.get("/views/other/compare?from=0&to=0").status == 404)
    for query in ["", "?to=20", "?from=", "?from=x&to=20", "?from=20&to=-1", "?from=20&to=1.5"] {
      #expect(try client.get("/views/main/compare\(query)").status == 400, "\(query)")
    }
    let missing = try client.get("/views/main/compare").json["detail"].string
    #expect(missing == "from is missing: the version to compare with, a whole number ≥ 0.")
  }

  @Test func `the page has the older version on the left, whichever is shown`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"0":"2"}"#, #"{"0":"3"}"#])
    func table(_ version: Int, with other: Int) throws -> (String, String?) {
      let page = ParsedPage(try view.page(.init(version: version, show: .compare, with: other)))
      let table = try #require(page.elements("table", class: "side-by-side").first)
      return (page.text(of: table.place), page.links.first { $0.contains("/compare?") })
    }
    let (words, json) = try table(1, with: 3)
    #expect(words.contains("1 change from version 1 to version 3"))
    #expect(json == "/views/main/compare?from=1&to=3")
    #expect(try table(3, with: 1) == (words, json))
  }

  @Test func `earlier versions are one click away, and the heading names both versions in their order`() throws {
    let view = try SampleView.counter(diffs: (1...12).map { #"{"0":"\#($0)"}"# })
    func page(_ version: Int, with other: Int? = nil) throws -> (heading: String, links: [String]) {
      let page = ParsedPage(try view.page(.init(version: version, show: .compare, with: other)))
      let place = try #require(page.element(id: "comparison"))
      let links = page.all("span", "earlier", in: place).flatMap { page.all("a", in: $0) }.map { link in
        let query = (page.attribute("href", of: link) ?? "").firstMatch(of: /with=(\d+)/).map { String($0.1) }
        let state = page.attribute("aria-current", of: link) == nil ? "" : "*"
        return "\(page.words(of: link))\(state) \(query ?? "-")"
      }
      return (page.words(of: page.first("h3", in: place)), links)
    }
    #expect(try page(12) == ("v11 → v12", ["1* -", "3 9", "10 2", "mount 0"]))
    #expect(try page(12, with: 9) == ("v9 → v12", ["1 -", "3* 9", "10 2", "mount 0"]))
    #expect(try page(4, with: 9) == ("v4 → v9", ["1 -", "3 1", "mount 0"]))
    #expect(try page(0, with: 9) == ("v0 → v9", []))
  }

  @Test func `a moved row is on both sides, with one sign for all of it`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<ul>","</ul>"],"0":{"s":["<li id=\"","\"><b>x</b></li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3}}}"#,
      diffs: [#"{"0":{"k":{"0":2,"1":0,"2":1,"kc":3}}}"#])
    let page = ParsedPage(try view.page(.init(version: 1, show: .compare)))
    let table = try #require(page.first("table", "side-by-side"))
    let signs = page.all("b", "moved", in: table)
    #expect(signs.count == 2, "at its old and at its new place")
    let places = page.all("td", "elsewhere", in: table)
    #expect(places.map { page.words(of: $0) } == ["<li id=\"c\">", "<li id=\"c\">"])
    #expect(
      places.map { page.attribute("title", of: $0) }
        == [0, 1].map { "Version \($0) has this node at another place" })
  }

  @Test func `the tree, the diff, the comparison and the announcement count the same changes`() throws {
    for recording in Recording.committed {
      let view = try SampleView.recorded(recording)
      for version in stride(from: 1, through: view.version, by: 3) {
        let shown = ViewPage.Content.allCases.filter { $0 != .mirror && $0 != .both }
        let counts = try shown.flatMap { content -> [String] in
          let html = try view.page(.init(version: version, show: content))
          let page = ParsedPage(html)
          let places = [
            page.elements("h4").first?.place ?? page.element(id: "facts"), page.elements("caption").first?.place,
            page.element(id: "page-head"),
          ].compactMap { $0 }
          return places.compactMap { place in
            let words = page.text(of: place)
            if words.contains("Nothing changed") { return "0" }
            return words.firstMatch(of: /([\d,]+) changes?/).map { String($0.1) }
          }
        }
        #expect(counts.count == 4 && Set(counts).count == 1, "\(recording.name) v\(version): \(counts)")
      }
    }
  }
}
