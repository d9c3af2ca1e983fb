import Benchmarking
import LiveViewMirror
import MarkupDocument
import MirrorSupport
import RenderedTree

/// The input of a measurement: one of the pages, or a file. The commands find one by ``named(_:)``.
struct Workload {
  enum Step {
    case mount(view: String, [UInt8], Dialect)
    case diff(view: String, [UInt8])
    /// The server's reply that it has destroyed components.
    case other(view: String, WireMessage)
  }

  var name: String
  /// The number of elements after the mount; `nil` for a file.
  var elements: Int?
  /// The mean number of changed texts or list entries in a diff; `nil` for a file.
  var entries: Double?
  var steps: [Step]
  /// Whether the last diff restores the mounted page, so that the diffs can be repeated without
  /// another mount.
  var isCycle: Bool

  static var names: [String] { BenchmarkPages.names }

  init(_ page: BenchmarkPage) {
    name = page.name
    elements = page.elements
    entries = page.entries
    steps = [.mount(view: "main", page.mount, .html)] + page.diffs.map { .diff(view: "main", $0) }
    isCycle = true
  }

  /// Finds a page by name, otherwise reads a file.
  static func named(_ name: String) throws -> Workload {
    try BenchmarkPages.page(name).map(Workload.init) ?? Workload(file: name)
  }

  /// A recording, or a page with `{"steps": [{"rendered": …}, {"diff": …}, …]}`.
  private init(file name: String) throws {
    guard let bytes = try? SystemFile.bytes(of: name) else {
      throw BenchmarkError("there is no page and no file \"\(name)\"; MirrorBenchmarks list prints the pages")
    }
    self.name = name.split(separator: "/").suffix(2).joined(separator: "/")
    var steps: [Step] = []
    for case .success(let message) in try WireDecoder().decode(bytes, as: .frames) {
      let view = message.topic ?? "main"
      let json = Array(message.json.text.utf8)
      switch message.content {
      case .rendered: steps.append(.mount(view: view, json, message.dialect.flatMap(Dialect.init) ?? .html))
      case .diff: steps.append(.diff(view: view, json))
      case .destroyed: steps.append(.other(view: view, message))
      case .join, .event, .refused, .other: break
      }
    }
    self.steps = steps
    isCycle = false
    isCycle = goesRound
  }

  var mounts: [[UInt8]] {
    steps.compactMap { if case .mount(_, let bytes, _) = $0 { bytes } else { nil } }
  }

  var diffs: [[UInt8]] {
    steps.compactMap { if case .diff(_, let bytes) = $0 { bytes } else { nil } }
  }

  /// Whether the first step is the only mount, and the page after the last diff equals the mounted
  /// one.
  private var goesRound: Bool {
    guard case .mount = steps.first, mounts.count == 1, diffs.count == steps.count - 1, !diffs.isEmpty else {
      return false
    }
    let session = Session(self, pipeline: .full)
    session.mount()
    let before = session.markup
    session.playDiffs()
    return session.rejected == 0 && session.markup == before
  }
}

/// The reason why a command of the benchmark ends early; its text is printed.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
