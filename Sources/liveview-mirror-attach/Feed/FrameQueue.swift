/// The lines of `/frames` that the mirror has not confirmed. ``FrameSender`` has one.
///
/// Lines are numbered. A request states the number of its first line, so that the mirror applies a
/// repeated batch once, and notices a gap. Each line leaves the queue once, in order: it is
/// confirmed, refused or lost.
struct FrameQueue: Sendable {
  /// A request body and the lines in it.
  struct Batch: Sendable {
    var first: Int
    var count: Int
    var body: [UInt8]
  }

  /// The number and the size of lines that the mirror will never receive: the queue was full, or a
  /// line is too long for the mirror.
  struct Lost: Sendable, Hashable {
    var frames = 0
    var bytes = 0
  }

  let maximumBytes: Int
  /// The largest size of a batch. It shrinks when the mirror refuses a batch because of its size.
  private(set) var maximumBatch: Int
  private(set) var bytes = 0
  /// The lost lines that were not yet reported to the mirror.
  private var lost = Lost()
  /// The number of lines that the mirror has applied.
  private(set) var confirmed = 0
  /// The number of the first line that is in the queue.
  private(set) var first = 0
  private var lines: [[UInt8]] = []
  /// The elements of ``lines`` before this index were removed from the queue.
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
      loseFirst(1)
    }
  }

  /// The next lines; `nil` for an empty queue. A line that is longer than a batch is a batch of its
  /// own.
  ///
  /// - Parameter failures: the number of failed requests in a row. Each one halves the batch,
  ///   because a mirror or a proxy may close the connection instead of refusing a body that is too
  ///   long. After 20 halvings, 1 MiB becomes one byte, so a batch is a single line.
  func batch(after failures: Int = 0) -> Batch? {
    guard !isEmpty else { return nil }
    let maximumBatch = maximumBatch >> min(failures, 20)
    var (body, count): ([UInt8], Int) = ([], 0)
    for line in lines[start...] {
      if count > 0, body.count + line.count >= maximumBatch { break }
      if count > 0 { body.append(UInt8(ascii: "\n")) }
      body += line
      count += 1
    }
    return Batch(first: first, count: count, body: body)
  }

  /// Removes a batch that the mirror has applied.
  mutating func confirm(_ batch: Batch) {
    let count = remaining(batch)
    confirmed += count
    removeFirst(count)
  }

  /// Removes a batch that the mirror has refused because of its content.
  mutating func refuse(_ batch: Batch) { removeFirst(remaining(batch)) }

  /// Handles a batch that is too long for the mirror: the next batches have at most half its size.
  /// A single line cannot be divided, so it is lost.
  mutating func shorten(_ batch: Batch) {
    if batch.count == 1 { loseFirst(remaining(batch)) } else { maximumBatch = min(maximumBatch, batch.body.count) / 2 }
  }

  /// The lost lines since the last call.
  mutating func takeLost() -> Lost {
    defer { lost = Lost() }
    return lost
  }

  /// Adds lost lines whose report has failed to the next report.
  mutating func restoreLost(_ unreported: Lost) {
    lost.frames += unreported.frames
    lost.bytes += unreported.bytes
  }

  /// The number of a batch's lines that are still in the queue. Lines may have been dropped since
  /// the batch was made.
  private func remaining(_ batch: Batch) -> Int { max(0, batch.first + batch.count - first) }

  private mutating func loseFirst(_ count: Int) {
    lost.frames += count
    for line in lines[start..<start + count] { lost.bytes += line.count }
    removeFirst(count)
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
