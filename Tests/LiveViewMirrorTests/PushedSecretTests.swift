import LiveViewMirror
import MarkupDocument
import Testing

/// Secrets in the events and replies that the server sends to scripts are not stored.
@Suite struct PushedSecretTests {
  @Test(
    arguments: [
      ##"{"0":"b","e":[["signed-in",{"user":1,"token":"abc-secret"}]]}"##,
      ##"{"0":"b","r":{"password":"abc-secret","ok":true}}"##,
      ##"{"0":"b","e":[["fields",{"fields":[{"name":"user[password]","value":"abc-secret"},{"name":"city","value":"Ulm"}]}]]}"##,
      ##"{"r":{"next":"/login?token=abc-secret"},"0":"b"}"##,
    ])
  func `in a diff`(diff: String) throws {
    let view = LiveViewCoordinator(id: "main")
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    let record = try view.update(diff)
    for text in [record.input, record.events ?? "", record.reply ?? ""] {
      #expect(!text.contains("abc-secret"))
    }
    #expect(record.input.contains("FILTERED") && record.input.hasPrefix("{") && record.input.contains(#""0":"b""#))
    #expect(!record.input.contains("city") || record.input.contains("Ulm"))
    #expect(record.changeSet.changes.count == 1)
  }

  @Test func `an input without secrets is stored as it is`() throws {
    let view = LiveViewCoordinator(id: "main")
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    let diff = #"{ "0" : "b", "e": [["chart", {"points" : [1, 2.50]}]] }"#
    #expect(try view.update(diff).input == diff)
  }
}
