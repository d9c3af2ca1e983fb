import Foundation
import Logging
import MicroHTTP
import Testing

@testable import liveview_mirror

@Suite struct ServerLogTests {
  private let pipe = Pipe()

  private func log(_ level: Logger.Level = .debug) -> ServerLog {
    let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    return ServerLog(logger: Logger(label: "test") { _ in LineLogHandler(level: level, format: .text, sink: sink) })
  }

  /// The logged lines without their times.
  private func lines() throws -> [String] {
    try pipe.fileHandleForWriting.close()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      String($0.drop { $0 != " " }.dropFirst())
    }
  }

  private let report = RequestReport(
    method: .post, path: "/views/a/diffs", route: "/views/{view}/diffs", status: .ok, duration: .microseconds(1_234),
    received: 9, sent: 512)

  @Test func `a request is one line at level debug`() throws {
    log().note(report)
    #expect(
      try lines() == [
        "debug request method=POST ms=1.234 path=/views/a/diffs received=9 route=/views/{view}/diffs sent=512 status=200"
      ])
  }

  @Test func `a request is not logged at other levels`() throws {
    log(.info).note(report)
    #expect(try lines() == [])
  }

  @Test func `an unreadable request has no route, and control characters end no line`() throws {
    let log = log()
    log.note(RequestReport(method: nil, path: nil, status: .badRequest, duration: .zero))
    log.note(
      RequestReport(
        method: HTTPMethod(rawValue: "GE\u{1B}[2JT"), path: "/a\n2026-11-21T00:00:00.000Z info forged",
        status: .notFound,
        duration: .zero))
    #expect(
      try lines() == [
        "debug request method=- ms=0.000 path=- received=0 route=- sent=0 status=400",
        "debug request method=\"GE\\u001b[2JT\" ms=0.000 path=\"/a\\n2026-11-21T00:00:00.000Z info forged\" received=0 "
          + "route=- sent=0 status=404",
      ])
  }

  @Test func `messages of libmicrohttpd are warnings with a limited rate`() throws {
    let log = log(.warning)
    for number in 0..<(LogThrottle.most * 2) { log.warn("bad request \(number)\n") }
    let lines = try lines()
    #expect(lines.first == "warning server message text=\"bad request 0\"")
    // A new second may begin between two of them.
    #expect(lines.count < LogThrottle.most * 2)
  }
}
