@testable import MirrorChecks

extension Session {
  /// A shop whose list has no keys, with a duplicate id, a slow event and wasted bytes. Its
  /// templates have debug annotations.
  static var shop: Session {
    var session = Session(
      #"""
      {"0":"0","1":"name","2":{"s":["<li>","</li>"],"k":{"0":{"0":"tea"},"1":{"0":"cup"},"kc":2}},"s":["<!-- <Shop.render> lib/shop.ex:8 (shop) --><p data-phx-loc=\"9\" id=\"a\">","</p><p data-phx-loc=\"10\" id=\"a\">","</p><ul data-phx-loc=\"12\">","</ul><!-- </Shop.render> -->"]}
      """#, topic: "lv:phx-shop")
    session.event("inc", after: 8, #"{"0":"1","1":"name"}"#)
    session.event("inc", after: 240, #"{"0":"2","1":"name"}"#)
    session.event("add|item", after: 12, #"{"2":{"k":{"0":{"0":"new"},"1":{"0":"tea"},"2":{"0":"cup"},"kc":3}}}"#)
    session.push(#"{"0":"3"}"#)
    return session
  }

  static let shopBudget = """
    bytes: 60
    waste: 10%
    latency_p50: 1s
    events:
      inc: {bytes: 19, latency_p95: 100ms}
      gone: {nodes: 1}
    """

  static func shopCheck() throws -> Check {
    Check(try shop.measured("shop.ndjson"), within: try Budget(shopBudget))
  }
}
