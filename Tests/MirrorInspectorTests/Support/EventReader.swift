import Foundation
import MicroHTTP
import Testing

/// Reads a stream of events as a browser does (HTML, "Server-sent events"), without a socket.
final class EventReader {
  struct Message: Equatable, CustomStringConvertible {
    var name: String
    var id: String?
    var data: String

    var json: JSONValue {
      JSONValue((try? JSONSerialization.jsonObject(with: Data(data.utf8), options: .fragmentsAllowed)) ?? NSNull())
    }
    var description: String { "\(name) \(id ?? "–")" }
  }

  let stream: HTTPStream
  /// The id that a browser would send as `Last-Event-ID` when it reconnects.
  private(set) var lastID = ""
  private(set) var retry: Int?
  private(set) var comments = 0
  /// Whether the stream has ended.
  private(set) var isAtEnd = false
  private var text: [UInt8] = []

  init(_ stream: HTTPStream) { self.stream = stream }

  /// Reads the events that are available now.
  ///
  /// - Parameter pieces: the largest number of writes to read, for a client that disconnects before
  ///   it has read all of them.
  func read(pieces: Int = .max) -> [Message] {
    var count = 0
    loop: while count < pieces {
      switch stream.take() {
      case .bytes(let bytes): text += bytes
      case .wait: break loop
      case .end:
        isAtEnd = true
        break loop
      }
      count += 1
    }
    return messages()
  }

  /// Disconnects the client.
  func leave() { stream.close(.disconnected) }

  private func messages() -> [Message] {
    var messages: [Message] = []
    while let end = text.firstRange(of: Array("\n\n".utf8)) {
      let block = String(decoding: text[..<end.lowerBound], as: UTF8.self)
      text.removeSubrange(..<end.upperBound)
      var message = Message(name: "message", id: nil, data: "")
      var hasData = false
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var value = parts.count == 2 ? parts[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "": comments += 1
        case "event": message.name = value
        case "id": (message.id, lastID) = (value, value)
        case "retry": retry = Int(value)
        case "data":
          message.data += (hasData ? "\n" : "") + value
          hasData = true
        default: Issue.record("no such field: \(line)")
        }
      }
      if hasData { messages.append(message) }
    }
    return messages
  }

  /// Waits for the next messages on a thread of its own, and calls a function with them and with
  /// this reader. No other thread may use the reader meanwhile.
  func onMessages(_ body: @escaping @Sendable ([Message], EventReader) -> Void) {
    struct Unchecked: @unchecked Sendable {
      let reader: EventReader
    }
    let box = Unchecked(reader: self)
    Thread {
      var messages: [Message] = []
      while messages.isEmpty {
        messages = box.reader.read()
        Thread.sleep(forTimeInterval: 0.001)
      }
      body(messages, box.reader)
    }.start()
  }

}

extension Client {
  /// Opens an event stream as a browser does.
  ///
  /// - Parameter lastID: the `Last-Event-ID` of a browser that reconnects.
  func events(_ target: String = "/views/main/events", lastID: String? = nil) throws -> EventReader {
    let answer = try send(.get, target, "", headers: lastID.map { ["Last-Event-ID": $0] } ?? [:])
    guard case .stream(let stream) = answer.response.body else {
      throw Refused(status: answer.status, text: answer.text)
    }
    return EventReader(stream)
  }

  struct Refused: Error {
    var status: Int
    var text: String
  }

  func refusal(of target: String, lastID: String? = nil) -> Int? {
    do {
      _ = try events(target, lastID: lastID)
      return nil
    } catch let error as Refused {
      return error.status
    } catch {
      return nil
    }
  }

  /// Mounts a view with `<p id="c">Count: 0</p><hr>`.
  func mountCounter(_ view: String = "main") throws {
    let answer = try post("/views/\(view)/rendered", #"{"s":["<p id=\"c\">Count: ","</p>",""],"0":"0","1":"<hr>"}"#)
    #expect(answer.status == 200 || answer.status == 201)
  }

  func count(_ number: Int, _ view: String = "main") throws {
    #expect(try post("/views/\(view)/diffs", #"{"0":"\#(number)"}"#).status == 200)
  }

  func sendNonsense(_ view: String = "main") throws {
    #expect(try post("/views/\(view)/diffs", #"{"7":"x"}"#).status == 422)
  }
}
