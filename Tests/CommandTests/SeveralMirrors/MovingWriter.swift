import Foundation
import RecordingFixtures

/// Posts diffs to random views at random mirrors. A diff without a `200` is sent again.
struct MovingWriter {
  /// What a writer knows of its diffs.
  struct Result: Sendable {
    /// What was answered with `200`, by view and version.
    var answers: [String: [Int: Answer]] = [:]
    /// How often each diff was sent, by its mark, in the order of sending.
    var sendings: [(mark: String, count: Int)] = []
    /// Answers that no mirror may give.
    var faults: [String] = []
    /// How often a diff was sent again.
    var repeats: Int { sendings.reduce(0) { $0 + $1.count - 1 } }
  }

  struct Answer: Sendable {
    var mark: String
    /// The change set, as it was received.
    var json: String
  }

  let name: String
  let views: [String]
  let ports: [UInt16]
  private var random: SplitMix

  init(_ name: String, views: [String], ports: [UInt16], seed: UInt64) {
    (self.name, self.views, self.ports) = (name, views, ports)
    random = SplitMix(state: seed)
  }

  static let page =
    #"{"0":"0","1":{"s":["<li id=\"","\">","</li>"],"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"2":{"0":"c","1":"C"},"kc":3}},"s":["<p>","</p><ul>","</ul>"]}"#

  /// A diff that changes the text of the paragraph into a mark, and sometimes the list.
  private static func diff(_ mark: String, _ random: inout SplitMix) -> String {
    switch random.below(4) {
    case 0: #"{"0":"\#(mark)","1":{"k":{"0":1,"1":2,"2":0,"kc":3}}}"#
    case 1: #"{"0":"\#(mark)","1":{"k":{"1":{"1":"\#(random.below(100))"},"kc":3}}}"#
    default: #"{"0":"\#(mark)"}"#
    }
  }

  /// Writes until `isOver`; then the last diff is sent until it was answered, for at most a minute.
  func run(pausing pause: Int, until isOver: () -> Bool) -> Result {
    var (random, result) = (random, Result())
    for number in 0... {
      if isOver() { break }
      let mark = "\(name)-\(number)"
      let (view, diff) = (views[random.below(views.count)], Self.diff(mark, &random))
      result.sendings.append((mark, 0))
      let deadline = ContinuousClock.now + .seconds(60)
      while !send(mark, diff, to: view, &random, &result) {
        guard ContinuousClock.now < deadline else {
          result.faults.append("\(mark): no answer for a minute")
          return result
        }
        Thread.sleep(for: .milliseconds(random.below(60) + 20))
      }
      Thread.sleep(for: .milliseconds(random.below(2 * pause)))
    }
    return result
  }

  /// - Returns: whether the diff needs no further sending.
  private func send(
    _ mark: String, _ diff: String, to view: String, _ random: inout SplitMix, _ result: inout Result
  ) -> Bool {
    let port = ports[random.below(ports.count)]
    // A mirror that is being restarted has not seen the diff.
    guard let caller = Caller(port: port) else { return false }
    result.sendings[result.sendings.count - 1].count += 1
    guard case .answered(let status, let text) = caller.post("/views/\(view)/diffs", diff, keepingAlive: false) else {
      return false
    }
    switch status {
    case 200:
      if let version = text.firstMatch(of: /"version":(\d+)/).flatMap({ Int($0.1) }) {
        result.answers[view, default: [:]][version] = Answer(mark: mark, json: text)
      } else {
        result.faults.append("\(mark): \(text.prefix(200))")
      }
      return true
    case 502, 503: return false
    default:
      result.faults.append("\(mark): \(status) \(text.prefix(200))")
      return true
    }
  }
}
