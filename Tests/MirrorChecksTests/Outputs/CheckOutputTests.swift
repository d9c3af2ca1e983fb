import Testing

@testable import MirrorChecks

/// Every output of one check, literally.
@Suite struct CheckOutputTests {
  private static let warnings = ["mirror.yml: no recording has the event “gone”, so its limits were not checked"]

  @Test func `text is wrapped to 80 columns`() throws {
    let check = try Session.shopCheck()
    let text = CheckText(check, style: .plain).text
    try expect(text + "\n" + CheckText.conclusion(.init([check]), style: .plain), isFile: "shop.txt")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `text has colours for a terminal, and the same characters`() throws {
    let check = try Session.shopCheck()
    let style = TextStyle(isColoured: true, columns: 80)
    let text = CheckText(check, style: style).text
    try expect(text + "\n" + CheckText.conclusion(.init([check]), style: style), isFile: "shop-coloured.txt")
    #expect(text.replacing(/\u{1B}\[\d*m/, with: "") == CheckText(check, style: .plain).text)
  }

  @Test func `JSON has everything`() throws {
    try expect(CheckJSON.text(.init([try Session.shopCheck()], warnings: Self.warnings)), isFile: "shop.json")
  }

  @Test func `JUnit has a test for each limit`() throws {
    try expect(JUnitReport.text(.init([try Session.shopCheck()])), isFile: "shop.xml")
  }

  @Test func `GitHub gets an annotation for each exceeded limit, at the line of the app or the budget`() throws {
    try expect(
      GitHubAnnotations.text(.init([try Session.shopCheck()], warnings: Self.warnings)), isFile: "shop.annotations")
  }

  @Test func `Markdown has the figures, the limits and the violations`() throws {
    try expect(CheckMarkdown.text(.init([try Session.shopCheck()], warnings: Self.warnings)), isFile: "shop.md")
  }

  @Test func `characters that change the direction of writing are neither in Markdown nor in JSON`() throws {
    let check = try Session.shopCheck()
    let warnings = ["a\u{202E}b\u{2066}c"]
    #expect(
      !CheckMarkdown.text(.init([check], warnings: warnings)).unicodeScalars.contains {
        $0.value == 0x202E || $0.value == 0x2066
      })
    let json = CheckJSON.text(.init([check], warnings: warnings))
    #expect(json.contains(#""a\u202eb\u2066c""#))
  }

  @Test func `the conclusion counts limits and recordings`() throws {
    var session = Session(#"{"0":"0","s":["<p>","</p>"]}"#)
    session.event("inc", #"{"0":"1"}"#)
    let kept = Check(try session.measured(), within: .standard)
    #expect(CheckText.conclusion(.init([kept]), style: .plain) == "✓ All 6 limits are kept\n")
    #expect(CheckText.conclusion(.init([kept, kept]), style: .plain) == "✓ All 12 limits are kept in 2 recordings\n")
    var pushed = Session(#"{"0":"0","s":["<p>","</p>"]}"#)
    pushed.push(#"{"0":"1"}"#)
    let other = Check(try pushed.measured(), within: try Budget("{bytes: 100, latency_p99: 1ms}"))
    #expect(CheckText.conclusion(.init([other]), style: .plain) == "✓ 7 limits kept, 1 not measured\n")
    let idle = Check(try Session(#"{"0":"0","s":["<p>","</p>"]}"#).measured(), within: .standard)
    #expect(
      CheckText.conclusion(.init([idle]), style: .plain)
        == "– No diff to check: only mounts, or nothing, were recorded\n")
    let broken = Check(try session.measured(), within: try Budget("bytes: 1"))
    #expect(
      CheckText.conclusion(.init([kept, broken]), style: .plain) == """
          bytes  9 B  at most 1 B  mirror.yml:1  session.ndjson

        ✗ 1 of 13 limits exceeded in 2 recordings

        """)
  }

  @Test func `long names of events are shortened, so that rows fit into a terminal`() throws {
    var session = Session(#"{"0":"0","s":["<p>","</p>"]}"#)
    let name = String(repeating: "long_", count: 20)
    session.event(name, #"{"0":"1"}"#)
    let check = Check(try session.measured(), within: try Budget("events: {\(name): {latency_p95: 1ms}}"))
    let rows = CheckText(check, style: .plain).text.split(separator: "\n").filter { $0.contains("…") }
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.count <= 100 })
  }

  // MARK: - Escaping

  @Test func `annotations are escaped as GitHub requires`() {
    #expect(GitHubAnnotations.escaped(data: "50%\r\na:b,c::error ::") == "50%25%0D%0Aa:b,c::error ::")
    #expect(GitHubAnnotations.escaped(property: "50%\na:b,c") == "50%25%0Aa%3Ab%2Cc")
  }

  @Test func `XML is escaped, and has no characters that XML forbids`() {
    #expect(
      JUnitReport.escaped("<a b=\"c\">&\u{1B}\u{0}\u{FFFE}\né")
        == "&lt;a b=&quot;c&quot;&gt;&amp;\u{FFFD}\u{FFFD}\u{FFFD}\né")
  }

  @Test func `Markdown shows text as it is`() {
    #expect(Markdown.escaped("a|b*c_d`e<i>\n#1 @ada [x](y)") == "a\\|b\\*c\\_d\\`e&lt;i&gt; \\#1 \\@ada \\[x\\](y)")
  }

  @Test func `names of events cannot move the cursor or begin a command`() throws {
    var session = Session(#"{"0":"0","s":["<p>","</p>"]}"#)
    session.event(#"a\u001b[2J\n::error::x"#, #"{"0":"1"}"#)
    let check = Check(try session.measured(), within: try Budget("bytes: 1"))
    let text = CheckText(check, style: .plain).text + GitHubAnnotations.text(.init([check]))
    #expect(!text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("::") }.count == 1)
    #expect(text.contains(#"v1 of lv:phx-1 (a\u{1b}[2J\n::error::x)"#))
  }
}
