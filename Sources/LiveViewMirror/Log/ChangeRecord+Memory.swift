internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

// The estimated memory of log entries, by which logs are bounded. A log estimates an entry once,
// when it is complete. The estimate of a record must be the same in every process, because journals
// store sums of it. A string counts with its UTF-8 length, which needs no walk over the string.
// Values of a fixed size count with their measured size.

extension String {
  /// Up to 15 bytes are stored in the string itself. More are allocated, with a header.
  fileprivate var memory: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}

extension ChangeRecord {
  /// - Complexity: O(*changes* + *nodes added and removed*).
  var memory: Int {
    var memory = Self.ownMemory + input.memory + (events?.memory ?? 0) + (title?.memory ?? 0) + (reply?.memory ?? 0)
    for change in changeSet.all { memory += change.memory }
    for places in slots { memory += 48 + places.reduce(0) { $0 + 16 + $1.memory } }
    memory += notified.count * MemoryLayout<NodeRef>.stride
    memory += waste.slots.reduce(0) { $0 + 16 + $1.memory }
    if !slotCosts.isEmpty { memory += 32 + slotCosts.count * MemoryLayout<SlotCost>.stride }
    memory += resentLists.reduce(0) { $0 + MemoryLayout<ResentList>.stride + $1.slot.memory }
    memory += shiftedLists.lists.reduce(0) { $0 + MemoryLayout<ShiftedLists.List>.stride + $1.slot.memory }
    for diagnostic in diagnostics { memory += diagnostic.memory }
    if extras != nil { memory += 32 + MemoryLayout<UpdateExtras>.stride }
    for key in unknownKeys { memory += 96 + key.name.memory }
    // By the count, not by the capacity: an estimate must be the same in every process.
    if !shiftedNodes.isEmpty { memory += 64 + shiftedNodes.count * 9 }
    memory += isolation.views?.memory ?? 0
    memory += cause?.memory ?? 0
    return memory
  }

  /// The record, its entry in the log, the headers of its arrays, and the path to its slot.
  private static var ownMemory: Int { MemoryLayout<ChangeRecord>.stride + MemoryLayout<Facts>.stride + 296 }
}

extension UpdateCause {
  fileprivate var memory: Int {
    // The properties, and the header of the object.
    112 + event.memory + (type?.memory ?? 0) + (value?.memory ?? 0) + ref.memory
  }
}

extension Rejection {
  var memory: Int {
    MemoryLayout<Rejection>.stride + 128 + input.memory + error.reason.memory + (error.pointer?.memory ?? 0)
  }
}

extension DocumentDiagnostic {
  var memory: Int {
    MemoryLayout<DocumentDiagnostic>.stride + code.memory + message.memory + subject.memory
      + locatedNodes.reduce(0) { $0 + MemoryLayout<LocatedNode>.stride + $1.path.memory }
  }
}

extension IsolationReport.Views {
  /// - Complexity: O(*evaluations*).
  var memory: Int {
    evaluations.reduce(0) { $0 + MemoryLayout<Evaluation>.stride + $1.element.memory + $1.reasons.count * 48 }
  }
}

extension Change {
  fileprivate var memory: Int {
    // Includes the name of the parent, which the record keeps in its `displayNames`.
    let own = MemoryLayout<Change>.stride + 48
    switch self {
    case .text(_, _, let before, let after): return own + before.memory + after.memory
    case .attributes(_, _, let changes):
      return own
        + changes.reduce(0) {
          $0 + MemoryLayout<AttributeChange>.stride + ($1.before?.memory ?? 0) + ($1.after?.memory ?? 0)
        }
    case .add(let subtree, _): return own + subtree.nodes.reduce(32) { $0 + $1.memory }
    case .remove(let nodes, _, _): return own + 32 + nodes.count * MemoryLayout<NodeRef>.stride
    case .move: return own
    }
  }
}

extension Subtree.Node {
  fileprivate var memory: Int {
    let own = MemoryLayout<Subtree.Node>.stride
    switch content {
    case .root: return own
    case .text(let text), .comment(let text): return own + text.memory
    case .processingInstruction(let instruction): return own + instruction.target.memory + instruction.data.memory
    case .element(let element):
      return own + 64 + element.attributes.reduce(0) { $0 + 48 + $1.name.memory + $1.value.memory }
    }
  }
}
