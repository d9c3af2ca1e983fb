import Foundation
import Logging
import Testing

@testable import liveview_mirror

@Suite struct LogSinkTests {
  @Test func `logging never blocks on a slow reader, and the log counts dropped lines`() throws {
    let pipe = Pipe()
    let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let logger = Logger(label: "test") { _ in LineLogHandler(level: .info, format: .text, sink: sink) }
    var written = 0
    while sink.leftOut < 3 {
      logger.info("line", metadata: ["number": "\(written)"])
      written += 1
    }
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    logger.info("again")
    let rest = read(descriptor, &bytes[count], bytes.count - count)
    let lines = String(decoding: bytes[..<(count + rest)], as: UTF8.self).split(separator: "\n")
    #expect(lines.count == written - 3 + 2)
    #expect(lines.dropLast(2).enumerated().allSatisfy { $1.hasSuffix(" info line number=\($0)") })
    #expect(
      lines.suffix(2)[lines.count - 2].hasSuffix(" warning log lines were dropped: standard error was not read count=3")
    )
    #expect(lines.suffix(1).allSatisfy { $0.hasSuffix(" info again") })
    #expect(sink.leftOut == 0)
  }

  @Test func `metadata of the logger is in every line, and metadata of a call overrides it`() throws {
    let pipe = Pipe()
    let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    var logger = Logger(label: "test") { _ in LineLogHandler(level: .info, format: .text, sink: sink) }
    logger[metadataKey: "a"] = "1"
    logger[metadataKey: "b"] = "1"
    logger.debug("not logged")
    logger.warning("said", metadata: ["b": "2", "c": ["x", "y"]])
    let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    #expect(text.hasSuffix("Z warning said a=1 b=2 c=\"[\\\"x\\\", \\\"y\\\"]\"\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }
}
