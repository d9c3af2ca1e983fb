internal import Foundation

/// The frames of a recording as a browser would have seen them: with directions and times.
package struct TimedTraffic: Sendable {
  package struct Message: Sendable {
    package let isSent: Bool
    /// In milliseconds since 1970.
    package let at: Int
    /// The frame as JSON.
    package let text: String
  }

  package let messages: [Message]

  package init(_ recording: Recording) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: recording.url)) as? [String: Any]
    var messages: [Message] = []
    func add(_ frame: Any?, isSent: Bool) throws {
      guard let frame else { return }
      let text = String(
        decoding: try JSONSerialization.data(withJSONObject: frame, options: .withoutEscapingSlashes), as: UTF8.self)
      messages.append(Message(isSent: isSent, at: 1_764_000_000_000 + messages.count * 7, text: text))
    }
    for step in json?["steps"] as? [[String: Any]] ?? [] {
      for frame in step["sent"] as? [Any] ?? [] { try add(frame, isSent: true) }
      try add(step["frame"], isSent: false)
    }
    self.messages = messages
  }

  /// Lines for `POST /frames`.
  package var lines: String {
    messages.map { #"{"at":\#($0.at),"sent":\#($0.isSent),"frame":\#($0.text)}"# + "\n" }.joined()
  }

  /// A HAR as Chrome writes it, with another socket and binary messages beside the LiveView's.
  package func har(pretty: Bool = false) throws -> String {
    func socket(_ messages: [[String: Any]]) -> [String: Any] {
      [
        "pageref": "page_1", "_resourceType": "websocket", "request": ["url": "ws://localhost:4000/live/websocket"],
        "_webSocketMessages": messages,
      ]
    }
    let own = messages.map { message -> [String: Any] in
      [
        "type": message.isSent ? "send" : "receive", "time": Double(message.at) / 1_000, "opcode": 1,
        "data": message.text,
      ]
    }
    let others: [[String: Any]] = [
      ["type": "send", "time": 1_764_000_000.001, "opcode": 1, "data": #"[null,"3","phoenix","heartbeat",{}]"#],
      ["type": "send", "time": 1_764_000_000.002, "opcode": 2, "data": "AAECAw=="],
    ]
    let har: [String: Any] = [
      "log": [
        "version": "1.2",
        "pages": [
          ["id": "page_1", "startedDateTime": "2025-11-24T16:00:00.000Z", "title": "http://localhost:4000/counter"]
        ],
        "entries": [
          ["pageref": "page_1", "request": ["url": "http://localhost:4000/counter"]], socket(others), socket(own),
        ],
      ]
    ]
    let options: JSONSerialization.WritingOptions =
      pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try JSONSerialization.data(withJSONObject: har, options: options), as: UTF8.self)
  }

  /// Rows of Chrome's table of messages.
  package var table: String {
    messages.map { message in
      let (seconds, rest) = (message.at / 1_000 % 60, String(message.at % 1_000 + 1_000).dropFirst())
      let time = "16:00:\(seconds < 10 ? "0" : "")\(seconds).\(rest)"
      return "\(message.isSent ? "⬆" : "⬇")\(message.text)\t\(message.text.utf8.count)\t\(time)"
    }.joined(separator: "\n")
  }
}
