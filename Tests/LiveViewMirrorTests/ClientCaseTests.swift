import DocumentInvariants
import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// For every case of `Tests/Fixtures/client`, the mirror's document equals the DOM of LiveView's
/// own clients.
@Suite struct ClientCaseTests {
  /// Cases in which the mirror may differ, each with the reason.
  static let exceptions: [String: String] = {
    let file = Fixtures.folder("client").appending(path: "exceptions.tsv")
    let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    return Dictionary(
      lines.filter { !$0.hasPrefix("#") }.compactMap { line in
        let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
        return fields.count == 2 ? (fields[0], fields[1]) : nil
      }
    ) { a, _ in a }
  }()

  @Test(arguments: ["full", "scoped"])
  func `the document equals the client's DOM`(pipeline: String) throws {
    #expect(ClientCase.all.count > 3_000)
    #expect(Self.exceptions.count * 100 <= ClientCase.all.count)
    #expect(Set(ClientCase.all.map(\.description)).isSuperset(of: Self.exceptions.keys))
    var failures: [String] = []
    for known in ClientCase.all where Self.exceptions[known.description] == nil {
      if let difference = difference(of: known, pipeline) { failures.append("\(known)\n\(difference)") }
    }
    if let output = ProcessInfo.processInfo.environment["CLIENT_FAILURES"] {
      try failures.joined(separator: "\n\n").write(toFile: "\(output).\(pipeline)", atomically: true, encoding: .utf8)
    }
    #expect(failures.isEmpty, "\(failures.count) cases: \(failures.prefix(3).joined(separator: "\n\n"))")
  }

  private func difference(of known: ClientCase, _ pipeline: String) -> String? {
    let view = LiveViewCoordinator(
      id: "lv:client", options: UpdateOptions(pipeline: pipeline == "full" ? .full : .scoped).withAnalyses)
    let decoder = WireDecoder()
    for (index, step) in known.steps.enumerated() {
      let before = view.document
      var changes = ChangeSet()
      do {
        var message = try decoder.update(step.payload, isMount: step.isMount)
        message.liveViewVersion = known.client
        let record = try view.receive(message, dialect: .html, container: ContainerContent(rawValue: known.container))
        changes = record?.changeSet ?? changes
        let throwing = record?.diagnostics.first { $0.code == "client-throws" }
        if let error = step.error, throwing == nil { return "step \(index): not reported: \(error)" }
        if let throwing, step.dom != nil { return "step \(index): reported: \(throwing.message)" }
      } catch {
        return "step \(index): \(error)"
      }
      guard let dom = step.dom else { return nil }
      guard let document = view.document else { return "step \(index): no document" }
      let faults = document.checkInvariants()
      if !faults.isEmpty { return "step \(index): \(faults.prefix(3))" }
      let (client, mirror) = (ClientTree(dom), ClientTree(document))
      if client != mirror {
        let payload = String(decoding: step.payload, as: UTF8.self)
        return "step \(index): \(payload)\n  client \(client.markup)\n  mirror \(mirror.markup)"
      }
      if let touched = step.touched, let before {
        let logged = TouchedNodes(changes, from: before, to: document).paths
        if logged != touched {
          let payload = String(decoding: step.payload, as: UTF8.self)
          return
            "step \(index): \(payload)\n  client \(client.markup)\n  changes of the client \(touched), of the mirror \(logged)"
        }
      }
      if let outside = step.outside {
        let (client, mirror) = (ClientTree.shown(in: outside), ClientTree.shownOutside(document))
        if client != mirror { return "step \(index), outside\n  client \(client.markup)\n  mirror \(mirror.markup)" }
      }
    }
    return nil
  }
}
