import MarkupDocument
import NodeObservation

/// All subscribers of a page as a list of closures, and the three ways to call them. Counting their
/// calls gives the expected isolation report.
struct NaivePublishing {
  /// The number of calls.
  private final class Calls { var count = 0 }

  private let calls = Calls()
  /// The subscribers of each node.
  private var byNode: [NodeRef: [() -> Void]] = [:]
  /// The subscribers of one subject. Each receives every node, including nodes that it does not
  /// observe.
  private var subject: [(NodeRef) -> Void] = []
  /// The views that observe the whole document.
  private var views: [() -> Void] = []

  /// - Parameters:
  ///   - document: the document after the change set. Every element, and the document itself, has a
  ///     view.
  ///   - clients: the nodes of the other subscribers.
  init(_ document: Document, clients: [NodeRef]) {
    let elements = document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
    for node in [document.root] + elements + clients {
      let calls = calls
      byNode[node, default: []].append { calls.count += 1 }
      subject.append { sent in
        calls.count += 1
        _ = sent == node
      }
      views.append { calls.count += 1 }
    }
  }

  /// The numbers for one change set.
  func report(of changeSet: ChangeSet, in document: Document) -> IsolationReport.Numbers {
    let nodes = NaiveCopy.notified(by: changeSet, in: document)
    let known = Set(nodes)
    var signals: [NodeRef] = []
    for change in changeSet.changes {
      if case .attributes(let node, _, _) = change { signals.append(node) } else { signals += Set(change.parents) }
    }
    signals.removeAll { !known.contains($0) }
    return IsolationReport.Numbers(
      everybody: views.count,
      selective: .init(coalesced: selective(nodes), uncoalesced: selective(signals)),
      filtered: .init(coalesced: filtered(nodes), uncoalesced: filtered(signals)),
      whole: .init(coalesced: changeSet.changes.isEmpty ? 0 : whole(1), uncoalesced: whole(signals.count)))
  }

  private func selective(_ nodes: [NodeRef]) -> Int {
    counting { for node in nodes { byNode[node]?.forEach { $0() } } }
  }

  private func filtered(_ nodes: [NodeRef]) -> Int {
    counting { for node in nodes { subject.forEach { $0(node) } } }
  }

  private func whole(_ times: Int) -> Int {
    counting { for _ in 0..<times { views.forEach { $0() } } }
  }

  private func counting(_ body: () -> Void) -> Int {
    let before = calls.count
    body()
    return calls.count - before
  }
}

extension IsolationReport {
  /// A report without its views, for comparisons.
  struct Numbers: Equatable, CustomStringConvertible {
    var everybody: Int
    var selective: Calls
    var filtered: Calls
    var whole: Calls

    var description: String {
      "everybody \(everybody), selective \(selective.coalesced)/\(selective.uncoalesced), "
        + "filtered \(filtered.coalesced)/\(filtered.uncoalesced), whole \(whole.coalesced)/\(whole.uncoalesced)"
    }
  }

  var numbers: Numbers { Numbers(everybody: everybody, selective: selective, filtered: filtered, whole: whole) }
}
