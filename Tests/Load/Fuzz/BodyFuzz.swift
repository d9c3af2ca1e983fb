import Foundation
import RecordingFixtures

/// Posts mutated recorded bodies. Each must be either applied or refused.
struct BodyFuzz {
  let mirror: MirrorProcess
  let control: ControlView
  let seed: UInt64

  private struct Tally: Sendable {
    var statuses: [String: Int] = [:]
    var faults: [String] = []
  }

  /// The permitted statuses.
  private static let allowed: Set<Int> = [200, 201, 400, 404, 409, 413, 422, 429, 503]

  func run(_ count: Int, most: Double, _ findings: inout Findings) throws {
    let corpus = try BodyCorpus()
    let (port, seed, control) = (mirror.port, seed, control)
    let began = now()
    var memory: [Int] = []
    var all = Tally()
    for half in 0..<2 {
      let tallies = try concurrently(2) { worker in
        try Self.post(
          count / 4, of: corpus, to: port, beside: control, worker: worker,
          random: SplitMix(state: seed ^ 0xB0D1 &+ UInt64(half * 2 + worker)))
      }
      for tally in tallies {
        all.statuses.merge(tally.statuses, uniquingKeysWith: +)
        all.faults += tally.faults
      }
      memory.append(mirror.memory)
    }
    let passed = Double(now() - began) / 1e9
    let statuses = all.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    findings.note("\(count / 4 * 4) bodies in \(passed.hundredths) s; \(statuses)", holds: all.statuses.count > 4)
    for fault in all.faults.prefix(10) { findings.note(fault, holds: false) }
    try control.report("bodies", mirror, memory, most, &findings)
  }

  private static func post(
    _ count: Int, of corpus: BodyCorpus, to port: UInt16, beside control: ControlView, worker: Int, random: SplitMix
  ) throws -> Tally {
    var random = random
    var tally = Tally()
    let client = Client(port: port)
    for number in 0..<count {
      try control.touch(by: client)
      let id = "fuzz-\(worker)-\(random.below(4))"
      let (target, body) = corpus.post(to: id, fresh: number % 20 == 0, &random)
      do {
        let answer = try client.ask("POST", target, body)
        tally.statuses["\(answer.status)", default: 0] += 1
        if !allowed.contains(answer.status) {
          tally.faults.append("\(answer.status) for \(target): \(String(decoding: body.prefix(2_000), as: UTF8.self))")
        }
        if (try? JSONSerialization.jsonObject(with: Data(answer.body))) == nil {
          tally.faults.append("no JSON for \(target): \(answer.text.prefix(200))")
        }
        // The resulting view must be readable in every form.
        if number % 50 == 0 {
          for path in ["tree", "html", "page", "log", "rendered", "subscribers"] {
            let look = try client.get("/views/\(id)/\(path)")
            if look.status >= 500 {
              tally.faults.append("\(look.status) for \(path) of \(id): \(look.text.prefix(200))")
            }
          }
        }
      } catch {
        tally.faults.append("\(error) for \(target): \(String(decoding: body.prefix(2_000), as: UTF8.self))")
        if tally.faults.count > 10 { break }
      }
    }
    return tally
  }
}
