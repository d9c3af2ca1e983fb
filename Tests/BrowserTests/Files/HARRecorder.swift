import Foundation

/// Makes an HTTP archive of what a tab requests, as the developer tools of Chrome export it: from
/// the events of the protocol's Network domain.
///
/// The times of messages are monotonic in the protocol. The export has them in seconds since 1970,
/// by the two times of the socket's handshake.
final class HARRecorder {
  private struct Entry {
    var pageref: String
    var url: String
    var method: String
    var headers: [[String: String]]
    /// Seconds since 1970.
    var started: Double
    var status = 0
    /// What is added to a monotonic time to get seconds since 1970.
    var offset = 0.0
    /// The messages of a socket; `nil` for a request.
    var messages: [[String: Any]]?
  }

  private var pages: [[String: Any]] = []
  private var entries: [Entry] = []
  /// The index of each request's entry.
  private var places: [String: Int] = [:]

  /// Enables the events, and receives them until the tab closes.
  init(_ tab: Tab) throws {
    tab.onEvent = { [weak self] event in self?.receive(event) }
    _ = try tab.call("Network.enable")
  }

  private func receive(_ event: DevTools.Event) {
    let parameters = event.parameters
    guard event.method.hasPrefix("Network."), let id = parameters["requestId"].string else { return }
    let request = parameters["request"]
    switch event.method {
    case "Network.requestWillBeSent":
      let (url, wall) = (request["url"].string ?? "", parameters["wallTime"].double ?? 0)
      if parameters["type"].string == "Document" { open(url, at: wall) }
      add(id, Entry(pageref: page, url: url, method: request["method"].string ?? "GET", headers: [], started: wall))
    case "Network.responseReceived":
      if let place = places[id] { entries[place].status = parameters["response"]["status"].int ?? 0 }
    case "Network.webSocketCreated":
      let url = parameters["url"].string ?? ""
      add(id, Entry(pageref: page, url: url, method: "GET", headers: [], started: 0, messages: []))
    case "Network.webSocketWillSendHandshakeRequest":
      guard let place = places[id], let wall = parameters["wallTime"].double, let time = parameters["timestamp"].double
      else { return }
      entries[place].started = wall
      entries[place].offset = wall - time
    case "Network.webSocketHandshakeResponseReceived":
      if let place = places[id] { entries[place].status = parameters["response"]["status"].int ?? 0 }
    case "Network.webSocketFrameSent": note(parameters, of: id, "send")
    case "Network.webSocketFrameReceived": note(parameters, of: id, "receive")
    default: break
    }
  }

  private var page: String { "page_\(pages.count)" }

  private func open(_ url: String, at time: Double) {
    pages.append([
      "startedDateTime": Self.date(time), "id": "page_\(pages.count + 1)", "title": url,
      "pageTimings": ["onContentLoad": -1, "onLoad": -1],
    ])
  }

  private func add(_ id: String, _ entry: Entry) {
    places[id] = entries.count
    entries.append(entry)
  }

  private func note(_ parameters: Received, of id: String, _ type: String) {
    guard let place = places[id] else { return }
    let frame = parameters["response"]
    let offset = entries[place].offset
    entries[place].messages?.append([
      "type": type, "time": (parameters["timestamp"].double ?? 0) + offset,
      "opcode": frame["opcode"].int ?? 1, "data": frame["payloadData"].string ?? "",
    ])
  }

  private static func date(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds).ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))
  }

  /// The archive.
  var text: String {
    get throws {
      let entries = entries.map { entry -> [String: Any] in
        var json: [String: Any] = [
          "_connectionId": "1", "_initiator": ["type": "other"], "_priority": "High",
          "_resourceType": entry.messages == nil ? "other" : "websocket", "cache": [:] as [String: Any],
          "connection": "80", "pageref": entry.pageref, "serverIPAddress": "127.0.0.1",
          "startedDateTime": Self.date(entry.started), "time": 1.5,
          "request": [
            "method": entry.method, "url": entry.url, "httpVersion": "HTTP/1.1", "headers": entry.headers,
            "queryString": [] as [Any], "cookies": [] as [Any], "headersSize": -1, "bodySize": 0,
          ],
          "response": [
            "status": entry.status, "statusText": "", "httpVersion": "HTTP/1.1", "headers": [] as [Any],
            "cookies": [] as [Any], "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "",
            "headersSize": -1, "bodySize": -1, "_transferSize": 0, "_error": NSNull(),
          ],
          "timings": ["blocked": -1, "dns": -1, "ssl": -1, "connect": -1, "send": 0, "wait": 1, "receive": 0.5],
        ]
        json["_webSocketMessages"] = entry.messages
        return json
      }
      let har: [String: Any] = [
        "log": [
          "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"], "pages": pages,
          "entries": entries,
        ]
      ]
      let options: JSONSerialization.WritingOptions = [.prettyPrinted, .withoutEscapingSlashes]
      return String(decoding: try JSONSerialization.data(withJSONObject: har, options: options), as: UTF8.self)
    }
  }
}
