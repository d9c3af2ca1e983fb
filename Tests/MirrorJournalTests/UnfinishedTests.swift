import Foundation
import LiveViewMirror
import MicroHTTP
import Testing

/// What is not finished when the process ends: events without an answer, joins without a page,
/// inputs without a response.
@Suite struct UnfinishedTests {
  @Test(arguments: StoreKind.allCases)
  func `a reply after a restart has the event before it as its cause`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let mirror = try JournaledMirror(place.open())
    try mirror.post(
      "/frames",
      #"""
      ["1","1","lv:a","phx_join",{"url":"http://a/","params":{"_mounts":0}}]
      ["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]
      ["1","2","lv:a","event",{"type":"click","event":"inc","value":{}}]
      """#)
    mirror.stop()
    let next = try JournaledMirror(place.open())
    try next.post("/frames", #"["1","2","lv:a","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]"#)
    let record = try next.text("/views/lv:a/log/1")
    #expect(record.contains(#""event":"inc""#))
    // The event arrived by a clock that another boot, or another mirror, does not have.
    #expect(record.contains(#""latency_ms":null"#))
    // A reply of an earlier join is stale after the restart, too.
    #expect(
      try next.post("/frames", #"["0","9","lv:a","phx_reply",{"status":"ok","response":{"diff":{"0":"9"}}}]"#) == 200)
    #expect(next.views["lv:a"]?.view?.version == 1)
    next.stop()
  }

  @Test(arguments: StoreKind.allCases)
  func `a join whose page arrives after a restart is that join`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let mirror = try JournaledMirror(place.open())
    // Live navigation: the element of the view was empty.
    try mirror.post("/frames", #"["4","4","lv:a","phx_join",{"redirect":"http://a/next","params":{"_mounts":0}}]"#)
    mirror.stop()
    let next = try JournaledMirror(place.open())
    try next.post(
      "/frames", #"["4","4","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#)
    #expect(try next.text("/views/lv:a/export").contains(#""over":"empty""#))
    next.stop()
  }

  @Test(arguments: StoreKind.allCases)
  func `frames that are sent again after a restart are applied once`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let frames = [
      #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#,
      #"["1",null,"lv:a","diff",{"0":"1"}]"#, #"["1",null,"lv:a","diff",{"0":"2"}]"#,
    ]
    let mirror = try JournaledMirror(place.open())
    try mirror.post("/frames?page=tab&first=0", frames.joined(separator: "\n"))
    mirror.stop()
    let next = try JournaledMirror(place.open())
    try next.post(
      "/frames?page=tab&first=1", (frames[1...] + [#"["1",null,"lv:a","diff",{"0":"3"}]"#]).joined(separator: "\n"))
    #expect(next.views["lv:a~tab"]?.view?.version == 3)
    next.stop()
  }
}
