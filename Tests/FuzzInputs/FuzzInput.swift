import DocumentInvariants
package import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree

/// One input of the fuzzer: the messages for a view, one per line, and the checks after each
/// message.
///
///     native
///     {"s":["<p>","</p>"],"0":"a"}
///     {"0":"b"}
///
/// The first line may contain options, separated by spaces: `native` for that dialect, `empty` for
/// a container without content at the join. The first message mounts the view, and every later
/// message is a diff. A message with the prefix `!` mounts the view again. Frames and wrapped
/// messages are also accepted.
package struct FuzzInput: Sendable {
  /// The maximum size of the view.
  package struct Outcome: Sendable {
    package var nodes = 0
    package var documentBytes = 0
    package var logBytes = 0
    /// The number of applied messages.
    package var applied = 0
    /// The first violated invariant. No messages are applied after it.
    package var fault: String?

    /// The estimated memory of the view in bytes.
    package var weight: Int { nodes * 400 + documentBytes + logBytes }
  }

  private let lines: [[UInt8]]
  private let dialect: Dialect
  private let container: ContainerContent?

  package init(_ bytes: some Collection<UInt8>) {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    let words = (lines.first.map { String(decoding: $0, as: UTF8.self) } ?? "").split(separator: " ")
    let isHead = !words.isEmpty && words.allSatisfy { $0 == "native" || $0 == "empty" }
    if isHead { lines.removeFirst() }
    self.lines = lines
    dialect = isHead && words.contains("native") ? .native : .html
    container = isHead && words.contains("empty") ? .empty : nil
  }

  /// Applies the messages as scoped updates, and verifies each with a full update.
  package func run() -> Outcome {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped, verifies: true).withAnalyses)
    var outcome = Outcome()
    for (number, line) in lines.enumerated() {
      let before = view.view
      let isMount = line.first == UInt8(ascii: "!") || before == nil
      let body = line.first == UInt8(ascii: "!") ? Array(line.dropFirst()) : line
      do throws(UpdateError) {
        let record =
          isMount
          ? try view.mount(body, dialect: dialect, container: container) : try view.update(body)
        outcome.applied += 1
        outcome.fault = fault(of: view, after: record)
      } catch {
        outcome.fault = fault(of: view, refusing: error, before: before)
      }
      if let fault = outcome.fault {
        outcome.fault = "line \(number + 1): \(fault)"
        break
      }
    }
    if let state = view.view {
      outcome.nodes = state.document.count
      outcome.documentBytes = state.size.document.bytes
      outcome.logBytes = state.log.keptBytes
    }
    return outcome
  }

  private func fault(of view: LiveViewCoordinator, after record: ChangeRecord) -> String? {
    if let difference = record.diagnostics.first(where: { $0.code.hasPrefix("scoped-") }) { return difference.message }
    guard let state = view.view else { return "the view is gone" }
    if let broken = state.document.checkInvariants().first { return broken }
    if state.size.document != DocumentSize(of: state.document) { return "the size of the document is not what it says" }
    let markup = state.document.tree.markup(dialect: dialect)
    if markup.utf8.count > state.size.document.bytes {
      return "the markup is larger than the size of the document says"
    }
    return nil
  }

  private func fault(of view: LiveViewCoordinator, refusing error: UpdateError, before: ViewState?) -> String? {
    if error.reason.isEmpty { return "a refusal without a reason" }
    guard let before else { return view.isMounted ? "a refused mount is mounted" : nil }
    guard let after = view.view else { return "a refused update removed the view" }
    if (after.epoch, after.version) != (before.epoch, before.version) { return "a refused update made a version" }
    if !after.document.isSame(as: before.document) { return "a refused update changed the document" }
    return nil
  }
}

// MARK: - Files

extension FuzzInput {
  /// The inputs that once failed, and other hostile inputs: `Tests/Fixtures/fuzz`.
  package static let regressions = Fixtures.files(in: Fixtures.folder("fuzz"), withExtension: "txt")

  package init(contentsOf url: URL) throws { self.init(try Data(contentsOf: url)) }
}
