/// The lines of `/frames` that the mirror has not confirmed.
///
/// Lines are numbered. The mirror is notified of the number of a batch's first line, so it applies a repeated batch once, and
/// notices a gap.
struct FrameQueue: Sendable {
  /// A request body and the lines in it.
  struct Batch: Sendable {
    var first: Int
    var count: Int
    var body: [UInt8]
  }

  /// The number and the size of lines that were dropped because the queue was full.
  struct Lost: Sendable, Hashable {
    var frames = 0
    var bytes = 0
  }

  let maximumBytes: Int
  let maximumBatch: Int
  private(set) var bytes = 0
  private(set) var lost = Lost()
  /// The number of the first line.
  private(set) var first = 0
  private var lines: [[UInt8]] = []
  /// The lines before this index were removed.
  private var start = 0

  init(maximumBytes: Int = 32 << 20, maximumBatch: Int = 1 << 20) {
    self.maximumBytes = maximumBytes
    self.maximumBatch = maximumBatch
  }

  var isEmpty: Bool { start == lines.count }

  /// Adds a line. If the queue is full, the oldest lines are dropped, but never the new one.
  mutating func append(_ line: [UInt8]) {
    lines.append(line)
    bytes += line.count
    while bytes > maximumBytes, lines.count - start > 1 {
      lost.frames += 1
      lost.bytes += lines[start].count
      removeFirst(1)
    }
  }

  /// The next lines; `nil` for an empty queue. A line that is longer than a batch is a batch of its own.
  func batch() -> Batch? {
    guard !isEmpty else { return nil }
    var (body, count): ([UInt8], Int) = ([], 0)
    for line in lines[start...] {
      if count > 0, body.count + line.count >= maximumBatch { break }
      if count > 0 { body.append(UInt8(ascii: "\n")) }
      body += line
      count += 1
    }
    return Batch(first: first, count: count, body: body)
  }

  /// The mirror has received a batch. Lines may have been dropped since it was made.
  mutating func confirm(_ batch: Batch) { removeFirst(max(0, batch.first + batch.count - first)) }

  /// The lost lines since the last call.
  mutating func takeLost() -> Lost {
    defer { lost = Lost() }
    return lost
  }

  private mutating func removeFirst(_ count: Int) {
    for index in start..<start + count {
      bytes -= lines[index].count
      lines[index] = []
    }
    start += count
    first += count
    if start > 1_024, start > lines.count / 2 {
      lines.removeFirst(start)
      start = 0
    }
  }
}
