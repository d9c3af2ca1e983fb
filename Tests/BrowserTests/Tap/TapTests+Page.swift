import Testing

extension BrowserSuite.TapTests {
  @Test func `the page's WebSocket and its subclasses tell instances apart as without the tap`() throws {
    let it = try TappedBurst()
    let results = try it.tab.evaluate(
      """
      (() => {
        const Native = Object.getPrototypeOf(WebSocket), address = socket.url
        class Mine extends WebSocket {}
        const [native, tapped, mine] = [Native, WebSocket, Mine].map(it => new it(address))
        return [native, tapped, mine, {}].map(it => [it instanceof WebSocket, it instanceof Mine]).join(" ")
      })()
      """)
    #expect(results.string == "true,false true,false true,true false,false")
  }
}
