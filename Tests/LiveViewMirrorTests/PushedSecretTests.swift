import LiveViewMirror
import MirrorAnalysis
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
      ##"{ "e" : [["login", {"password" : "abc-secret"}]],"0":"b"}"##,
      ##"{"e":[["login",{"pass\u0077ord":"abc-secret"}]],"0":"b"}"##,
      ##"{"e":[["login",[["password","abc-secret"],["city","Ulm"]]]],"0":"b"}"##,
      ##"{"e":[["password","abc-secret"]],"0":"b"}"##,
      ##"{"e":[["field",{"id":"user_password","value":"abc-secret"}]],"0":"b"}"##,
      ##"{"e":[["field",{"Name":"password","Value":"abc-secret"}]],"0":"b"}"##,
      ##"{"e":[["field",{"name":["user","password"],"value":"abc-secret"}]],"0":"b"}"##,
      ##"{"e":[["form",{"data":"form=%7B%22password%22%3A%22abc-secret%22%7D"}]],"0":"b"}"##,
      ##"{"t":"Invitation /join?token=abc-secret","0":"b"}"##,
      ##"{"zz":{"password":"abc-secret"},"0":"b"}"##,
      ##"{"c":{"1":{"s":["<i></i>"],"e":[["login",{"password":"abc-secret"}]]}},"0":"b"}"##,
    ])
  func `in a diff`(diff: String) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    let record = try view.update(diff)
    for text in [record.input, record.events ?? "", record.reply ?? "", record.title ?? ""] {
      #expect(!text.contains("abc-secret"))
    }
    #expect(record.input.contains("FILTERED") && record.input.hasPrefix("{") && record.input.contains(#""0":"b""#))
    #expect(!record.input.contains("city") || record.input.contains("Ulm"))
    #expect(record.changeSet.changes.count == 1)
  }

  @Test(
    arguments: [
      ##"{"7":"x","e":[["login",{"password":"abc-secret"}]]}"##,
      ##"{"0":[],"e":[["login",{"password":"abc-secret"}]]}"##,
      ##"[{"password":"abc-secret"}]"##,
    ])
  func `in a rejected diff`(diff: String) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    #expect(throws: UpdateError.self) { try view.update(diff) }
    guard case .rejected(let rejection)? = view.log.last(1).first?.outcome else {
      Issue.record("no rejection in the log")
      return
    }
    #expect(!rejection.input.contains("abc-secret") && rejection.input.contains("FILTERED"))
  }

  @Test func `the page is stored as it is`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    let tree = ##""0":{"0":"/?token=1","s":["<a href='","?password=2'></a>"]}"##
    let record = try view.update(##"{\##(tree),"r":{"token":"abc-secret"}}"##)
    #expect(record.input == ##"{\##(tree),"r":{"token":"[FILTERED]"}}"##)
  }

  @Test func `an input without secrets is stored as it is`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(#"{"0":"a","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    let diff = #"{ "0" : "b", "e": [["chart", {"points" : [1, 2.50]}]] }"#
    #expect(try view.update(diff).input == diff)
  }
}
