/// Reads a chunked response of an event stream, and checks that every event of the view arrives
/// once and in order.
struct EventReader {
  private var head: Answer?
  /// Bytes of the body after the last complete line.
  private var line: [UInt8] = []
  private var isSkippingNewline = false
  private var chunk = ChunkDecoder()
  private var type = ""
  private var id: String?
  private var data = 0

  private var epoch: Int?
  /// The version of the last event.
  private(set) var version: Int
  private(set) var events = 0
  private(set) var isEnded = false
  /// The violated expectations.
  private(set) var faults: [String] = []

  init(after version: Int) { self.version = version }

  var hasBegun: Bool { head != nil }

  /// Takes received bytes.
  ///
  /// - Returns: the number of bytes that were used.
  mutating func receive(_ bytes: [UInt8]) -> Int {
    var used = 0
    if head == nil {
      do {
        guard let (answer, end) = try Answer.readHead(bytes) else { return 0 }
        head = answer
        used = end
        if answer.status != 200 { faults.append("status \(answer.status)") }
        if answer.header("content-type")?.hasPrefix("text/event-stream") != true {
          faults.append("type \(answer.header("content-type") ?? "none")")
        }
        if answer.header("transfer-encoding") != "chunked" { chunk = ChunkDecoder(isPlain: true) }
      } catch {
        faults.append("\(error)")
        return bytes.count
      }
    }
    for byte in bytes[used...] {
      switch chunk.take(byte) {
      case .framing: continue
      case .end: isEnded = true
      case .fault: faults.append("chunks that do not fit")
      case .data:
        if byte == UInt8(ascii: "\n") {
          endLine()
          line.removeAll(keepingCapacity: true)
        } else {
          line.append(byte)
        }
      }
    }
    return bytes.count
  }

  private mutating func endLine() {
    guard !line.isEmpty else { return dispatch() }
    if line.starts(with: "id:".utf8) {
      id = text(after: 3)
    } else if line.starts(with: "event:".utf8) {
      type = text(after: 6)
    } else if line.starts(with: "data:".utf8) {
      data += line.count
    }
  }

  private func text(after count: Int) -> String {
    String(String(decoding: line[count...], as: UTF8.self).drop { $0 == " " })
  }

  /// The event ids of a view are `EPOCH.VERSION`: a change increases the version by one and keeps
  /// the epoch.
  private mutating func dispatch() {
    defer { (type, id, data) = ("", nil, 0) }
    guard !type.isEmpty || data > 0 else { return }
    switch type {
    case "change":
      events += 1
      let numbers = (id ?? "").split(separator: ".").compactMap { Int($0) }
      guard numbers.count == 2 else { return faults.append("a change with the id \(id ?? "none")") }
      let number = numbers[1]
      if let epoch, epoch != numbers[0] { faults.append("epoch \(numbers[0]) after \(epoch)") }
      epoch = numbers[0]
      if number != version + 1 { faults.append("version \(number) after \(version)") }
      if data < 20 { faults.append("version \(number) without data") }
      version = number
    case "reset", "rejected": faults.append("a \(type)")
    default: return
    }
  }
}

/// Removes the framing of chunks.
private struct ChunkDecoder {
  enum Meaning {
    case data
    case framing
    case end
    case fault
  }

  private enum State {
    case size(Int)
    case data(Int)
    case behind
    case plain
    case last
  }

  private var state: State

  init(isPlain: Bool = false) { state = isPlain ? .plain : .size(0) }

  mutating func take(_ byte: UInt8) -> Meaning {
    switch state {
    case .plain: return .data
    case .last: return .framing
    case .size(let size):
      if byte == UInt8(ascii: "\n") {
        state = size == 0 ? .last : .data(size)
        return size == 0 ? .end : .framing
      }
      if byte == UInt8(ascii: "\r") { return .framing }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return .fault }
      state = .size(size * 16 + digit)
      return .framing
    case .data(let left):
      state = left == 1 ? .behind : .data(left - 1)
      return .data
    case .behind:
      if byte == UInt8(ascii: "\n") { state = .size(0) }
      return .framing
    }
  }
}
