import Testing

extension BrowserSuite.TapTests {
  @Test(arguments: ["a", "é", "€", "😀"])
  func `a burst that is longer than a body may be arrives in shorter batches`(character: String) throws {
    let it = try TappedBurst(["--max-body", "200KB"])
    _ = try it.tab.evaluate("receive(40, 9000, '\(character)')")
    #expect(try it.reaches(40))
    #expect(try it.lost() == [0, 0])
    #expect(!it.tab.messages.contains { $0.contains("cannot be reached") })
  }

  @Test func `batches are limited in bytes`() throws {
    // The tap's own limit is lower.
    let it = try TappedBurst(["--max-body", "1MB"])
    _ = try it.tab.evaluate("receive(40, 9000, '€')")
    #expect(try it.reaches(40))
    #expect(it.tab.complaints == [])
  }

  /// A task of the page encodes a bounded number of characters: 300,000 take about 3 ms.
  @Test(arguments: [
    (200, 10_000, "a"), (20_000, 100, "a"), (100, 10_000, "€"), (1, 2_000_000, "a"), (2, 1_000_001, "😀"),
  ])
  func `a large batch is encoded in short tasks`(count: Int, length: Int, character: String) throws {
    let it = try TappedBurst(
      script: """
        window.longest = 0
        const measure = text => { if (typeof text == "string" && text.length > longest) longest = text.length }
        const call = window.fetch
        window.fetch = (...all) => {
          measure(all[1]?.body)
          return call(...all)
        }
        window.Blob = class extends Blob {
          constructor(parts) {
            super(parts)
            parts.forEach(measure)
          }
        }
        let encoded = 0
        const { encode } = TextEncoder.prototype
        TextEncoder.prototype.encode = function (text) {
          // The calls of one task.
          if (!encoded) setTimeout(() => encoded = 0)
          encoded += text.length
          longest = Math.max(longest, encoded)
          return encode.call(this, text)
        }
        """)
    _ = try it.tab.evaluate("receive(\(count), \(length), '\(character)')")
    #expect(try it.reaches(count))
    #expect(try #require(try it.tab.evaluate("longest").int) <= 300_001)
    let page = try it.mirror.get("/views/\(it.view)/html").body
    #expect(page.contains(character) && !page.contains("\u{FFFD}"))
    #expect(page.utf8.count > length * character.utf8.count)
    #expect(try it.lost() == [0, 0])
  }

  /// As through a proxy whose 413 a page cannot read.
  @Test func `a batch that fails is sent in shorter batches`() throws {
    let it = try TappedBurst(
      script: """
        const call = window.fetch
        window.fetch = (...all) => all[1]?.body?.length > 100000 ? Promise.reject(new TypeError()) : call(...all)
        """)
    _ = try it.tab.evaluate("receive(40, 9000)")
    #expect(try it.reaches(40, seconds: 60))
    #expect(try it.lost() == [0, 0])
  }

  /// The mirror reads bodies of up to eight times its limit to their end before it responds.
  @Test(arguments: [250_000, 2_500_000])
  func `a frame that is longer than a body may be is lost, and later frames arrive`(length: Int) throws {
    let it = try TappedBurst(["--max-body", "200KB"])
    _ = try it.tab.evaluate("receive(1, 1); receive(1, \(length)); receive(1, 1)")
    #expect(try it.reaches(2))
    #expect(try it.tab.wait(for: 60) { (try? it.lost().first) == 1 })
    #expect(try #require(try it.lost().last ?? nil) >= length)
    #expect(
      try it.tab.wait(for: 60) { it.tab.messages.contains { $0.contains("The body must have at most 200000 bytes.") } })
    #expect(!it.tab.messages.contains { $0.contains("cannot be reached") })
  }

  /// A join can repeat a frame that is too long, so the tap waits between joins. A restarted mirror
  /// must not wait.
  @Test func `after frames that are too long, the views are joined again once the mirror was restarted`() throws {
    let it = try TappedBurst(
      ["--max-body", "200KB"],
      script: """
        window.joins = 0
        window.isRestarted = false
        const call = window.fetch
        window.fetch = (...all) => {
          if (!isRestarted || !all[0].endsWith("/pushes")) return call(...all)
          isRestarted = false
          return Promise.resolve(new Response("", { status: 404 }))
        }
        const phoenix = { encode() {}, decode() {}, get conn() { return socket }, channels: [] }
        window.liveSocket = { getSocket: () => phoenix, disconnect() { joins++ }, connect() {} }
        """)
    #expect(try it.tab.wait(for: 60) { (try? it.report()["carrier_connected"].bool) == true })
    for count in 1...2 {
      _ = try it.tab.evaluate("receive(1, 250000)")
      #expect(try it.tab.wait(for: 60) { (try? it.lost().first) == count })
    }
    #expect(try it.tab.evaluate("joins").int == 1)
    _ = try it.tab.evaluate("isRestarted = true")
    try it.mirror.post("/pages/\(it.page)", #"{"closed":true}"#)
    #expect(try it.tab.wait(until: "joins === 2"))
  }

  @Test(arguments: [String(repeating: "x", count: 20_000), String(repeating: "é", count: 2_000)])
  func `the address of a page is cut where it is too long for a request`(fragment: String) throws {
    let it = try TappedBurst(fragment: "#" + fragment)
    _ = try it.tab.evaluate("receive(3, 10)")
    #expect(try it.reaches(3))
    let address = try #require(try it.tab.evaluate("location.href").string)
    let known = try #require(try it.report()["url"].string)
    #expect(address.hasPrefix(known))
    #expect((4_000...8_192).contains(known.utf8.count))
    #expect(try it.report()["title"].string == "App")
    #expect(it.tab.complaints == [])
  }

  @Test(arguments: ["a", "é", "€", "😀"])
  func `what does not fit into the last request of a page is reported as lost`(character: String) throws {
    let count = 30
    let it = try TappedBurst(
      // At the target, listeners that capture are called before others.
      script: "addEventListener('pagehide', () => receive(\(count), 3000, '\(character)'), true)")
    _ = try it.tab.call("Page.navigate", ["url": "about:blank"])
    #expect(try it.tab.wait(for: 60) { (try? it.report()["closed_at"].string) != nil })
    let lost = try it.lost().compactMap(\.self)
    let sent = count - (try #require(lost.first))
    // The frames may arrive after the announcement of the end.
    #expect(try it.reaches(sent))
    let shortest = 3_000 * character.utf8.count
    let longest = shortest + 200
    #expect(sent * shortest < 64 << 10)
    #expect(sent == count || (sent + 1) * longest > 60_000)
    #expect((count - sent) * shortest...(count - sent) * longest ~= lost[1])
  }
}
