public import LiveViewMirror
package import MarkupDocument
internal import MicroHTTP

extension ChangeRecord {
  /// The change set of the HTTP contract.
  package var json: JSON {
    .object(
      [
        ("view", .string(view)), ("epoch", .integer(epoch)), ("version", .integer(version)),
        ("at", .string(Timestamp.text(at))), ("bytes", .integer(bytes)), ("nodes", .integer(nodes)),
        ("changes", .array(zip(changeSet.changes, slots).map { $0.json(slots: $1) })),
        ("notified", .array(notified.map { .integer($0.number) })), ("observers", .integer(observers)),
        ("finished", .integer(finished)),
        ("isolation", isolation.json),
        ("waste", ["bytes": .integer(waste.bytes), "slots": .array(waste.slots.map(JSON.string))]),
      ] + path.members + [
        ("timings", timings.json), ("diagnostics", .array(diagnostics.map(\.json))),
        ("events", events.map(JSON.text) ?? []), ("title", JSON(title)), ("reply", JSON(text: reply)),
      ])
  }

  /// With the update itself: a Rendered for a mount, else a diff.
  package var jsonWithInput: JSON {
    version == 0 ? json.adding(("rendered", .text(input))) : json.adding(("diff", .text(input)))
  }
}

extension UpdatePath {
  /// `path`, and for a full update its `path_reason`: a scoped one has none.
  fileprivate var members: [(String, JSON)] {
    switch self {
    case .scoped: [("path", "scoped")]
    case .full(let reason): [("path", "full"), ("path_reason", .string(reason))]
    }
  }
}

extension ChangeRecord.Timings {
  fileprivate var json: JSON {
    [
      "decode": .integer(decode), "merge": .integer(merge), "render": .integer(render), "parse": .integer(parse),
      "morph": .integer(morph), "trace": .integer(trace), "publish": .integer(publish), "views": .integer(views),
    ]
  }
}

extension Change {
  fileprivate func json(slots: [String]) -> JSON {
    let slots = JSON.array(slots.map(JSON.string))
    return switch self {
    case .text(let node, let parent, let before, let after):
      [
        "op": "text", "node": node.json, "parent": parent.json, "before": .string(before), "after": .string(after),
        "slots": slots,
      ]
    case .attributes(let node, let tag, let changes):
      [
        "op": "attributes", "node": node.json, "tag": .string(tag),
        "before": .object(changes.map { ($0.name, JSON($0.before)) }),
        "after": .object(changes.map { ($0.name, JSON($0.after)) }), "slots": slots,
      ]
    case .add(let subtree, let position):
      .object(
        [
          ("op", "add"), ("node", subtree.root.json), ("parent", position.parent.json),
          ("index", .integer(position.index)),
        ]
          + subtree.name.members + [("nodes", .integer(subtree.count))] + subtree.nodes[0].content.textMember
          + [("slots", slots)])
    case .remove(let nodes, let position, let name):
      .object(
        [
          ("op", "remove"), ("node", nodes[0].json), ("parent", position.parent.json),
          ("index", .integer(position.index)),
        ]
          + name.members + [("nodes", .integer(nodes.count)), ("slots", slots)])
    case .move(let node, let name, let from, let to):
      .object(
        [("op", "move"), ("node", node.json)] + name.members
          + [("from", from.json), ("to", to.json), ("slots", slots)])
    }
  }
}

extension NodeRef {
  package var json: JSON { .integer(number) }
}

extension Position {
  fileprivate var json: JSON { ["parent": parent.json, "index": .integer(index)] }
}

extension NodeName {
  /// `kind`, and for an element its `tag`.
  fileprivate var members: [(String, JSON)] {
    switch self {
    case .element(let tag, _): [("kind", "element"), ("tag", .string(tag))]
    case .text: [("kind", "text")]
    case .comment: [("kind", "comment")]
    }
  }
}

extension NodeContent {
  fileprivate var textMember: [(String, JSON)] {
    switch self {
    case .text(let text), .comment(let text): [("text", .string(text))]
    case .element, .root: []
    }
  }
}

extension DocumentDiagnostic {
  fileprivate var json: JSON {
    ["code": .string(code), "node": JSON(node?.number), "message": .string(message)]
  }
}

// MARK: - The log

extension ChangeLog.Entry {
  /// A change set or `{"rejected": problem}`.
  package func json(at cursor: ChangeLog.Cursor) -> JSON {
    let place: (String, JSON) = ("cursor", .string(cursor.description))
    return switch self {
    case .applied(let record): record.json.adding(place)
    case .rejected(let rejection):
      [
        "rejected": .text(String(decoding: rejection.error.problem.json, as: UTF8.self)),
        "view": .string(rejection.view), "epoch": .integer(rejection.epoch), "version": .integer(rejection.version),
        "at": .string(Timestamp.text(rejection.at)), "bytes": .integer(rejection.bytes),
        "input": .string(rejection.input), "cursor": place.1,
      ]
    }
  }
}

extension ChangeRecord {
  /// The change set with its update on one line, for programs that read lines.
  public var jsonLine: String { String(decoding: jsonWithInput.bytes, as: UTF8.self) }
}
