import LiveViewMirror
import MarkupDocument
import RenderedTree

/// Plays each file some rounds and prints the medians of its stages, in microseconds.
///
/// A file is a recording, or a page with `{"steps": [{"rendered": …}, {"diff": …}, …]}` whose diffs are a cycle. The first
/// round warms up and does not count. Read ratios between lines of one run; a machine's own speed is in every number.
struct Benchmark {
  var file: String
  var rounds = 15

  func run() throws -> String {
    guard let bytes = File.bytes(of: file) else { return "\(file): cannot be read" }
    let messages = try WireDecoder().decode(bytes, as: .frames).compactMap { try? $0.get() }
    var mounts: [ChangeRecord] = []
    var diffs: [ChangeRecord] = []
    for round in 0...rounds {
      var views: [String: LiveViewCoordinator] = [:]
      for message in messages {
        let id = message.topic ?? "main"
        let view = views[id] ?? LiveViewCoordinator(id: id)
        views[id] = view
        let dialect = message.dialect.flatMap(Dialect.init) ?? .html
        guard let record = try view.receive(message, dialect: dialect), round > 0 else { continue }
        if record.version == 0 { mounts.append(record) } else { diffs.append(record) }
      }
    }
    return [line("mount", mounts), line("diff", diffs)].joined(separator: "\n")
  }

  private func line(_ kind: String, _ records: [ChangeRecord]) -> String {
    let name = file.split(separator: "/").suffix(2).joined(separator: "/")
    func median(_ value: (ChangeRecord) -> Int) -> Int {
      let values = records.map(value).sorted()
      return values.isEmpty ? 0 : values[values.count / 2]
    }
    let columns = [
      median(\.nodes), median(\.bytes), median(\.timings.merge), median(\.timings.render), median(\.timings.parse),
      median(\.timings.morph), median(\.timings.publish), median(\.timings.total),
    ]
    return columns.reduce(Table.cell(name, 34) + Table.cell(kind, 6)) { $0 + Table.number($1, 9) }
  }
}

enum Table {
  static func cell(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  static func number(_ number: Int, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - String(number).count)) + String(number)
  }

  static let head = ["nodes", "bytes", "merge", "render", "parse", "morph", "publish", "total µs"].reduce(cell("", 40))
  {
    $0 + String(repeating: " ", count: max(1, 9 - $1.count)) + $1
  }
}

let files = CommandLine.arguments.dropFirst()
if files.isEmpty {
  print("usage: MirrorBenchmarks FILE…")
} else {
  print(Table.head)
  for file in files {
    do { print(try Benchmark(file: file).run()) } catch { print("\(file): \(error)") }
  }
}
