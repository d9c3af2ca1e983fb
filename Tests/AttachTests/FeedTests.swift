import LiveViewClient
import Testing

@testable import liveview_mirror_attach

@Suite struct FeedTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `lines are sent in batches, and are kept until they are confirmed`() throws {
    var queue = FrameQueue(maximumBatch: 10)
    for text in ["aaaa", "bbbb", "cccc"] { queue.append(line(text)) }
    let first = try #require(queue.batch())
    #expect((first.first, first.count, String(decoding: first.body, as: UTF8.self)) == (0, 2, "aaaa\nbbbb"))
    #expect(queue.batch()?.first == 0)
    queue.confirm(first)
    let second = try #require(queue.batch())
    #expect((second.first, String(decoding: second.body, as: UTF8.self)) == (2, "cccc"))
    queue.confirm(second)
    #expect(queue.isEmpty && queue.batch() == nil && queue.bytes == 0)
  }

  @Test func `a line that is longer than a batch is a batch of its own`() {
    var queue = FrameQueue(maximumBatch: 4)
    queue.append(line("long line"))
    queue.append(line("b"))
    #expect(queue.batch()?.count == 1)
  }

  @Test func `a full queue drops its oldest lines and counts them`() throws {
    var queue = FrameQueue(maximumBytes: 10, maximumBatch: 100)
    queue.append(line("aaaa"))
    let sent = try #require(queue.batch())
    for text in ["bbbb", "cccc", "dddd"] { queue.append(line(text)) }
    #expect(queue.takeLost() == FrameQueue.Lost(frames: 2, bytes: 8))
    #expect(queue.takeLost() == FrameQueue.Lost())
    // The first line was dropped while it was being sent.
    queue.confirm(sent)
    #expect((queue.first, queue.batch()?.first) == (2, 2))
    queue.append(line("a line that fills the queue alone"))
    #expect(queue.batch()?.count == 1)
  }

  @Test func `a batch that is too long is halved, and a single line that is too long is lost`() throws {
    var queue = FrameQueue(maximumBatch: 100)
    for text in ["aaaa", "bbbb", "cccc", "a long line"] { queue.append(line(text)) }
    var bodies: [String] = []
    while let batch = queue.batch() {
      if batch.body.count > 9 {
        queue.shorten(batch)
      } else {
        bodies.append(String(decoding: batch.body, as: UTF8.self))
        queue.confirm(batch)
      }
    }
    #expect(bodies == ["aaaa\nbbbb", "cccc"])
    #expect(queue.confirmed == 3)
    let lost = queue.takeLost()
    #expect(lost == FrameQueue.Lost(frames: 1, bytes: 11))
    queue.restoreLost(lost)
    #expect(queue.takeLost() == lost)
  }

  @Test func `refused lines are removed, and are not counted as confirmed`() throws {
    var queue = FrameQueue(maximumBatch: 5)
    queue.append(line("aaaa"))
    queue.append(line("bbbb"))
    queue.refuse(try #require(queue.batch()))
    queue.confirm(try #require(queue.batch()))
    #expect((queue.first, queue.confirmed, queue.takeLost()) == (2, 1, FrameQueue.Lost()))
  }

  @Test func `each failed request halves the batch`() {
    var queue = FrameQueue(maximumBatch: 16)
    for text in ["aaaa", "bbbb", "cccc"] { queue.append(line(text)) }
    #expect((0..<4).map { queue.batch(after: $0)?.count } == [3, 1, 1, 1])
  }

  @Test func `the queue keeps its order over many lines`() {
    var queue = FrameQueue(maximumBatch: 100)
    var (received, next) = ([String](), 0)
    for round in 0..<500 {
      for _ in 0..<round % 40 {
        queue.append(line(String(next)))
        next += 1
      }
      guard let batch = queue.batch() else { continue }
      #expect(batch.first == received.count)
      received += String(decoding: batch.body, as: UTF8.self).split(separator: "\n").map(String.init)
      queue.confirm(batch)
    }
    while let batch = queue.batch() {
      received += String(decoding: batch.body, as: UTF8.self).split(separator: "\n").map(String.init)
      queue.confirm(batch)
    }
    #expect(received == (0..<next).map(String.init))
  }

  @Test func `the mirror's answer says whether it needs the pages again`() {
    #expect(!FeedReport(line(#"{"frames":3,"missing_frames":0,"rejected":[{"problem":{"status":422}}]}"#)).needsJoins)
    #expect(FeedReport(line(#"{"missing_frames":2,"rejected":[]}"#)).needsJoins)
    #expect(FeedReport(line(#"{"missing_frames":0,"rejected":[{"problem":{"status":404}}]}"#)).needsJoins)
    // An evicted view.
    #expect(FeedReport(line(#"{"missing_frames":0,"rejected":[{"problem":{"status":410}}]}"#)).needsJoins)
    #expect(FeedReport.detail(of: line(#"{"title":"x","detail":"Name it."}"#)) == "Name it.")
  }

  @Test func `a push keeps its payload as it is`() throws {
    let push = try #require(
      CarrierPush(#"{"id":1,"view":"lv:a~p","topic":"lv:a","event":"event","payload":{"value":{"n":1.50}}}"#))
    #expect((push.topic, push.event, push.payload.text) == ("lv:a", "event", #"{"value":{"n":1.50}}"#))
    #expect(CarrierPush("{}") == nil)
  }
}
