import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import NodeObservation
import RenderedTree
import Testing

/// Snapshots that earlier releases have written: a journal is opened by every later release.
@Suite struct EarlierSnapshotTests {
  /// A view with a value in every analysis: an unknown key, a hidden component, a password field, a
  /// duplicate id, a rejected diff, and a list without keys.
  private static func session() throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    let decoder = WireDecoder()
    let mount = #"""
      {"0":1,"1":"","2":{"s":["<li id=\"i\">","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3}},"zz":1,
       "s":["<div>","</div><form><input type=password name=p phx-keyup=typed>","</form><ul>","</ul>"],
       "c":{"1":{"0":"t","s":["<b>","</b>"],"r":1}}}
      """#
    func receive(_ event: String, _ payload: String) throws {
      let frame = #"["1","2","lv:main","\#(event)",\#(payload)]"#
      let message = try #require(decoder.decode(Array(frame.utf8), as: .frames).first).get()
      _ = try view.receive(message, dialect: .html)
    }
    try receive("phx_reply", #"{"status":"ok","response":{"rendered":\#(mount),"liveview_version":"1.1.2"}}"#)
    try receive("diff", #"{"0":"","zz":2}"#)
    try receive("diff", #"{"2":{"k":{"0":{"0":"x"},"1":{"0":"a"},"2":{"0":"b"},"3":{"0":"c"},"kc":4}}}"#)
    #expect(throws: UpdateError.self) { try receive("diff", #"{"9":"x"}"#) }
    for number in 0..<24 { try receive("diff", #"{"1":"\#(number / 2)"}"#) }
    return view
  }

  /// The snapshot without the times of the session.
  private static func snapshot(of view: ViewState) -> [UInt8] {
    var view = view
    (view.mountedAt, view.updatedAt) = (0, 0)
    return view.snapshot()
  }

  @Test func `a snapshot of format 2 continues as the view that wrote it`() throws {
    let bytes = try #require(Data(base64Encoded: Self.formatTwo, options: .ignoreUnknownCharacters))
    let restored = try LiveViewCoordinator(restoring: Array(bytes), id: "main", options: UpdateOptions().withAnalyses)
    let session = try Self.session()
    for diff in [
      "", #"{"0":"y","zz":3}"#, #"{"2":{"k":{"0":{"0":"x"},"1":{"0":"x"},"2":{"0":"a"},"kc":3}}}"#, #"{"1":"z"}"#,
    ] {
      if !diff.isEmpty { for view in [restored, session] { try view.update(diff) } }
      let (view, expected) = (try #require(restored.view), try #require(session.view))
      #expect(view.findings == expected.findings)
      #expect(view.findings.count == 5)
      #expect(view.wasteReport().text == expected.wasteReport().text)
      #expect(view.log.isolation == expected.log.isolation)
      #expect(Self.snapshot(of: view) == Self.snapshot(of: expected))
    }
  }

  /// The snapshot of ``session()``, written before analyses had names in snapshots.
  private static let formatTwo = """
    TFZTAAIABG1haW4BGgAEZGVhZAAABy0gMS4xLjIAAJMBBQ4HtwEAAQAAAAEAAnp6AQIBAAEAAXABAAV0eXBlZAAcARoAGgHABLcCGhGYAX0cGgMFAuOq
    6q2nyrzZWwALdW5rbm93bi1rZXkBR1RoZSBrZXkgInp6IiBhdCAvNC96eiB3YXMgaWdub3JlZDogbm8gTGl2ZVZpZXcgdXAgdG8gMS4yIHNlbmRzIGl0
    IHRoZXJlAAABAgIAAWkB7qOhovSD/91OAAxkdXBsaWNhdGUtaWQBSVRoZSBpZCAiaSIgaXMgb24gbW9yZSB0aGFuIG9uZSBlbGVtZW50LiBJdCBpZGVu
    dGlmaWVzIG9ubHkgdGhlIGZpcnN0IG9uZS4EAhAAIXVsOm50aC1jaGlsZCgzKSA+IGxpOm50aC1jaGlsZCgxKQIUACF1bDpudGgtY2hpbGQoMykgPiBs
    aTpudGgtY2hpbGQoMikCGAAhdWw6bnRoLWNoaWxkKDMpID4gbGk6bnRoLWNoaWxkKDMpAhwAIXVsOm50aC1jaGlsZCgzKSA+IGxpOm50aC1jaGlsZCg0
    KQAaGxwAPy80LzkgdGhpcyBzbG90IGRvZXMgbm90IGV4aXN0OiB0aGUgdGVtcGxhdGUgaGFzIDMgc2xvdHMsIDAgdG8gMj/okZKcs7m1vTwADXJlamVj
    dGVkLWRpZmYBWUFuIGlucHV0IHdhcyByZWplY3RlZCBhdCAvNC85OiB0aGlzIHNsb3QgZG9lcyBub3QgZXhpc3Q6IHRoZSB0ZW1wbGF0ZSBoYXMgMyBz
    bG90cywgMCB0byAyAAICAQQAAARodG1sAREADgMCAwADZGl2AAAGAwAEZm9ybQACAgMABWlucHV0AwAEdHlwZQAIcGFzc3dvcmQABG5hbWUGAAlwaHgt
    a2V5dXAHABQAAAIxMREDAAJ1bAAEAgMAAmxpAQACaWQJAQIAAAF4AgMbARwJAQIAAAFhAgMbARwJAQIAAAFiAgMbARwJAQIAAAFjAAQQAQQbAAQBBhsA
    BAEIGwAEAQwbAAAAAAAHAAQABTxkaXY+ADg8L2Rpdj48Zm9ybT48aW5wdXQgdHlwZT1wYXNzd29yZCBuYW1lPXAgcGh4LWtleXVwPXR5cGVkPgALPC9m
    b3JtPjx1bD4ABTwvdWw+AQEBBAUHAwMACgsAAAAAGQMAAgALPGxpIGlkPSJpIj4ABTwvbGk+GAIEAgECAQEDAAEBAB0CAQIBAQUAAQEAHgIBAgEBBQAB
    AQAfBAECAQEFAAEBACABAgACAAM8Yj4ABDwvYj4GAQAAAXQCAgADAAAHAQABAgAAAAAEAQMEBQEDBgEBAwgAAAACAAQBAgABAAEABAkAAQACAAUJAAEA
    AgAGTCYYDBoBAAAAAAAAAQIBBAABAAMAAgIAAAECAgEBAg4CAgIDaK0vOMG4F6k=
    """
}
