import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorSupport
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// What is sent has the form that the OpenAPI document describes. ``Client`` compares the responses
/// of all other tests too.
@Suite struct ResponseDescriptionTests {
  @Test func `a check finds a missing member, an undescribed one, and a value of another type`() {
    let description = Description.shared
    #expect(description.faults(of: #"{"status":"ok"}"#, named: "Health") == [])
    #expect(description.faults(of: "{}", named: "Health") == [": status is missing"])
    #expect(description.faults(of: #"{"status":"bad"}"#, named: "Health") == ["/status: bad is not ok"])
    #expect(description.faults(of: #"{"status":"ok","new":1}"#, named: "Health") == ["/new: not expected"])
    #expect(description.faults(of: #"{"parent":1,"index":"0"}"#, named: "Place").count == 1)
  }

  @Test func `a response of an undescribed status or type is found`() {
    var response = HTTPResponse.json(Array("{}".utf8), status: .accepted)
    response.route = "/views"
    #expect(Description.shared.faults(of: response, to: .get) == ["GET /views does not describe 202"])
    response = .text("hello")
    response.route = "/pages"
    #expect(Description.shared.faults(of: response, to: .get) == ["GET /pages 200 does not describe text/plain"])
  }

  @Test func `the change sets of recordings are described`() throws {
    for place in stride(from: 0, to: Recording.committed.count, by: 8) {
      let recording = Recording.committed[place]
      let view = try SampleView.recorded(recording)
      for entry in view.log.last(.max) {
        let faults = Description.shared.faults(of: entry.json.text, named: "LogEntry")
        #expect(faults == [], "\(recording.name) \(entry.cursor)")
      }
    }
  }

  @Test func `the recordings are described`() throws {
    for place in stride(from: 0, to: Recording.committed.count, by: 8) {
      let text = try String(contentsOf: Recording.committed[place].url, encoding: .utf8)
      #expect(Description.shared.faults(of: text, named: "Recording") == [], "\(Recording.committed[place].name)")
    }
  }

  @Test func `every line of an export is described`() throws {
    let client = try Client()
    _ = try client.post(
      "/frames?page=p&url=http://localhost/", PageTests.join("lv:r", page: #"{"0":"0","s":["<p>","</p>"]}"#))
    _ = try client.post(
      "/frames?page=p",
      """
      ["4","7","lv:r","event",{"type":"click","event":"inc","value":{}}]
      ["4","7","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]
      """)
    let lines = try client.get("/views/lv:r~p/export").text.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines { #expect(Description.shared.faults(of: String(line), named: "ExportLine") == [], "\(line)") }
  }

  @Test func `every event of a stream is described`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    let reader = try client.events("/views/main/events?after=0")
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    _ = try client.post("/views/main/diffs", #"{"7":"1"}"#)
    _ = try client.send(.delete, "/views/main", "")
    let messages = reader.read()
    #expect(messages.map(\.name) == ["mount", "change", "rejected", "close"])
    for message in messages {
      var event = JSON.Members([("event", .string(message.name)), ("data", .string(message.data))])
      if let id = message.id { event.set("id", to: .string(id)) }
      #expect(Description.shared.faults(of: JSON.object(event).encoded, named: "ViewEvent") == [], "\(message)")
    }
  }
}
