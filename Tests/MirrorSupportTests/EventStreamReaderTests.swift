import MirrorSupport
import Testing

@Suite struct EventStreamReaderTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The events of a text that arrives in pieces of a size.
  private func events(of text: String, inPieces size: Int) -> [EventStreamReader.Event] {
    var (reader, events) = (EventStreamReader(), [EventStreamReader.Event]())
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      events += reader.read(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return events
  }

  @Test(arguments: ["\n", "\r\n", "\r"], [1, 3, 1_000])
  func `events are read from any pieces of a stream, with each line end of the standard`(end: String, size: Int) {
    let lines = [
      ": hello", "", "event: push", "data: {\"id\":1}", "", "event: empty", "", "data:a", "event: push", "data:  b",
      "data",
      "id: 7", "", "event: unfinished", "data: 1", "",
    ]
    #expect(
      events(of: "\u{FEFF}" + lines.joined(separator: end), inPieces: size) == [
        .init(name: "push", data: #"{"id":1}"#), .init(name: "push", data: "a\n b\n"),
      ])
  }

  @Test func `an event of 30 MB in pieces of 1 KB is examined once`() {
    var reader = EventStreamReader()
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 10)
    var events = reader.read(line("data: "))
    for _ in 0..<30 << 10 {
      events += reader.read(piece)
      if reader.examinedBytes > 100 << 20 { break }
    }
    events += reader.read(line("\n\ndata: next\n\n"))
    #expect(events.map(\.data.utf8.count) == [30 << 20, 4])
    #expect(reader.examinedBytes <= (30 << 20) + 100)
  }

  @Test func `an event that is too long is skipped, and the next one is read`() {
    var reader = EventStreamReader(maximumBytes: 100)
    var events: [EventStreamReader.Event] = []
    for _ in 0..<30 { events += reader.read(line("data: 123456\n")) }
    events += reader.read(line("\ndata: " + String(repeating: "x", count: 200)))
    events += reader.read(line("data: y\n\ndata: next\n\n"))
    #expect(events == [.init(name: "message", data: "next")])
  }
}
