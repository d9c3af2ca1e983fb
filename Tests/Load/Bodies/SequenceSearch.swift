import Foundation
import RecordingFixtures

/// A random search for the sequence of accepted requests that takes the most memory. Each sequence
/// runs against a program of its own. The search begins with random sequences, and then changes
/// those that took the most.
struct SequenceSearch {
  /// One part of a sequence: requests of one kind.
  struct Step: Sendable, CustomStringConvertible {
    enum Kind: CaseIterable, Sendable {
      /// Mounts views of the step, or mounts them again.
      case mount
      /// Replaces a text of each view.
      case text
      /// A diff with an unknown key: only the log has it.
      case unknownKey
      /// The same with many values instead of a text.
      case values
      /// An event of the server: only the log has it.
      case event
      /// Entries with many empty texts.
      case emptySlots
      /// A diff with a component that no page shows.
      case hiddenComponent
      /// A diff that does not fit.
      case rejected
      /// A list with many entries.
      case list
      /// Small elements instead of a text, others each time.
      case elements
      /// Items of a stream, which stay when the next ones come.
      case streamItems
      /// Event streams that nobody reads.
      case unreadStream
      /// Subscriptions to the first node.
      case subscription
      /// Responses that nobody reads.
      case unreadResponse
      case export
      /// Files of traffic, each of which makes a page and a view with ids of their own.
      case fileImport
      case compare
      /// Frames of pages, with a mount and diffs.
      case frames
      case remove
    }

    var kind: Kind
    /// The number of views, each of which gets the requests of the step.
    var views: Int
    /// How often each view gets them.
    var times: Int
    /// The bytes of a text, or the number of entries and elements times 50.
    var size: Int

    var description: String { "\(kind) × \(times) to \(views) views, \(size) B" }

    /// - Parameter bytes: the most bytes of all requests of a step.
    init(_ random: inout SplitMix, bytes: Int) {
      kind = Kind.allCases.randomElement(using: &random) ?? .mount
      views = [1, 2, 10, 100, 500, 1_000].randomElement(using: &random) ?? 1
      times = [1, 1, 2, 5, 20].randomElement(using: &random) ?? 1
      size = [10, 1_000, 8_000, 30_000, 190_000, 1_000_000, 4_000_000].randomElement(using: &random) ?? 10
      // So that a sequence takes seconds.
      while views * times * max(size, 500) > bytes {
        if size > 30_000 { size /= 3 } else if times > 1 { times /= 2 } else { views = max(1, views / 2) }
        if views == 1, times == 1, size <= 30_000 { break }
      }
    }
  }

  typealias Sequence = [Step]

  let program: String
  let arguments: [String]
  private var random: SplitMix
  /// The sequences that took the most memory, with it in bytes.
  private(set) var worst: [(sequence: Sequence, peak: Int)] = []
  private(set) var tried = 0
  /// Statuses that no request may have.
  private(set) var unexpected: [String] = []

  /// The time after which a sequence ends, in nanoseconds. With a journal, an update of a view that
  /// is not loaded applies its last entries again.
  private static let longest: UInt64 = 60_000_000_000

  private static let allowed: Set<Int> = [200, 201, 204, 400, 404, 409, 410, 413, 422, 429, 503]

  init(program: String, arguments: [String], seed: UInt64) {
    (self.program, self.arguments) = (program, arguments)
    random = SplitMix(state: seed)
  }

  /// Tries sequences until a time.
  mutating func run(until end: UInt64) throws {
    while now() < end {
      let sequence = next()
      let peak = try measure(sequence)
      tried += 1
      worst.append((sequence, peak))
      worst.sort { $0.peak > $1.peak }
      worst = Array(worst.prefix(8))
    }
  }

  private mutating func next() -> Sequence {
    guard tried >= 12, let parent = worst.randomElement(using: &random), Bool.random(using: &random) else {
      return (0..<Int.random(in: 2...6, using: &random)).map { number in
        var step = Step(&random, bytes: 150 << 20)
        if number == 0 { step.kind = .mount }
        return step
      }
    }
    var sequence = parent.sequence
    let place = sequence.indices.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0: sequence.insert(Step(&random, bytes: 150 << 20), at: place)
    case 1 where sequence.count > 1: sequence.remove(at: place)
    case 2: sequence[place] = Step(&random, bytes: 150 << 20)
    default: sequence[place].views = min(1_000, max(1, sequence[place].views * 2))
    }
    return sequence
  }

  /// Each sequence has a journal or not, by chance.
  private mutating func measure(_ sequence: Sequence) throws -> Int {
    let journal = try JournalFolder()
    defer { journal.remove() }
    let hasJournal = Bool.random(using: &random)
    let mirror = try MirrorProcess(program: program, arguments: arguments + (hasJournal ? journal.arguments : []))
    let client = Client(port: mirror.port, patience: 60)
    var unread: [Connection] = []
    defer { withExtendedLifetime(unread) {} }
    let end = now() + Self.longest
    for step in sequence {
      for round in 0..<step.times {
        for view in 0..<step.views {
          if now() > end { return mirror.peakMemory }
          let id = "v\(view)"
          if step.kind == .unreadStream || step.kind == .unreadResponse {
            if unread.count >= 500 { continue }
            let target = step.kind == .unreadStream ? "/views/\(id)/events" : "/views/\(id)/log?limit=1000"
            guard let connection = try? Connection(port: mirror.port, receiveBuffer: 4096) else { continue }
            connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            unread.append(connection)
            continue
          }
          let (method, target, body) = request(step, id, round)
          guard let answer = try? client.ask(method, target, Array(body.utf8)) else {
            unexpected.append("no response to \(method) \(target) of \(step); the program runs: \(mirror.isAlive)")
            return mirror.peakMemory
          }
          if !Self.allowed.contains(answer.status) {
            let reason = String(decoding: answer.body.prefix(300), as: UTF8.self)
            unexpected.append("\(answer.status) for \(method) \(target) of \(step), after \(sequence): \(reason)")
          }
        }
      }
    }
    return mirror.peakMemory
  }

  private func request(_ step: Step, _ view: String, _ round: Int) -> (method: String, target: String, body: String) {
    let text = String(repeating: "abcdefghij".dropFirst(round % 10).first ?? "a", count: step.size)
    let entries = 1 + step.size / 50
    let diffs = "/views/\(view)/diffs"
    switch step.kind {
    case .mount:
      let list = (0..<entries).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
      return (
        "POST", "/views/\(view)/rendered",
        #"{"0":"","1":{"s":["<p class=a>","</p>"],"k":{\#(list),"kc":\#(entries)}},"s":["<main>","","</main>"]}"#
      )
    case .text: return ("POST", diffs, #"{"0":"\#(text)"}"#)
    case .elements:
      return (
        "POST", diffs, #"{"0":"\#(String(repeating: round % 2 == 0 ? "<b></b>" : "<i></i>", count: step.size / 7))"}"#
      )
    case .streamItems:
      let items = (0..<entries).map { "<li id=i\(round)-\($0)>\($0)</li>" }.joined()
      return ("POST", diffs, #"{"0":"<ul id=s phx-update=stream>\#(items)</ul>"}"#)
    case .unknownKey: return ("POST", diffs, #"{"0":"\#(round)","zz":"\#(text)"}"#)
    case .values:
      return ("POST", diffs, #"{"0":"\#(round)","zz":[\#(String(repeating: "0,", count: step.size / 2))0]}"#)
    case .event: return ("POST", diffs, #"{"e":[["x",{"a":"\#(text)"}]]}"#)
    case .emptySlots:
      let texts = Array(repeating: "\"\"", count: 1_000).joined(separator: ",")
      let list = Array(repeating: "[\(texts)]", count: 1 + step.size / 3_000).joined(separator: ",")
      return ("POST", diffs, #"{"1":{"s":["",\#(texts)],"d":[\#(list)]}}"#)
    case .hiddenComponent: return ("POST", diffs, #"{"c":{"\#(round + 1)":{"s":["<i>","</i>"],"0":"\#(text)"}}}"#)
    case .rejected: return ("POST", diffs, #"{"7":"\#(text)"}"#)
    case .list:
      let list = (0..<entries).map { #""\#($0)":{"0":"\#(round)-\#($0)"}"# }.joined(separator: ",")
      return ("POST", diffs, #"{"1":{"k":{\#(list),"kc":\#(entries)}}}"#)
    case .subscription: return ("POST", "/views/\(view)/subscriptions", #"{"node":2,"children":true}"#)
    case .export: return ("GET", "/views/\(view)/export", "")
    case .compare: return ("GET", "/views/\(view)/compare?from=0", "")
    case .frames: return ("POST", "/frames?page=p\(round)", frames(view, text))
    case .fileImport: return ("POST", "/views", frames(view, text))
    case .remove: return ("DELETE", "/views/\(view)", "")
    case .unreadStream, .unreadResponse: return ("GET", "/views/\(view)/events", "")
    }
  }

  /// A join, its reply and a diff.
  private func frames(_ view: String, _ text: String) -> String {
    let response = #"{"rendered":{"0":"","s":["<p>","</p>"]}}"#
    return #"""
      ["1","1","lv:\#(view)","phx_join",{}]
      ["1","1","lv:\#(view)","phx_reply",{"status":"ok","response":\#(response)}]
      ["1",null,"lv:\#(view)","diff",{"0":"\#(text)"}]
      """#
  }
}
