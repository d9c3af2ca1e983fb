// Change sets, their parts, and the log. `FeedRoutes`, `PushRoutes`, `LogRoutes` and
// `AnalysisRoutes` respond with them. `ChangeRecord+JSON.swift` writes most of what these schemas
// describe. The tests compare responses with these schemas, so a member must be added in both
// places.

extension Schema {
  static let changeSet = object(
    [
      "view": viewID, "epoch": epoch, "version": version,
      "at": time.described("The time of the update."),
      "bytes": count.described("The size of the input as JSON."),
      "nodes": count.described("The number of nodes after the update, including the document."),
      "changes": array(of: change),
      "notified": array(of: node).described("The nodes whose publishers sent a signal, in document order."),
      "notified_elements": array(of: object(["node": node, "tag": string.orNull, "id": string.orNull]))
        .described("The notified nodes with the tags and ids that they had; `null` for the document."),
      "observers": count.described("The number of subscribers of the notified nodes."),
      "finished": count.described("The number of publishers that ended because their node was removed."),
      "isolation": isolation, "waste": waste,
      "path": oneOf(["scoped", "full"]).described(
        "Whether only the places that the diff names were updated, or the whole page was compared."),
      "timings": timings, "diagnostics": array(of: diagnostic),
      "events": array(of: any).described("The events of `push_event`: `[name, payload]` each."),
      "title": string.orNull.described("The new title of the page."),
      "reply": any.described("The reply to the client's event; `null` if there is none."),
      "cause": cause.orNull,
    ],
    optional: [
      "unnamed_changes": count, "shifted_lists": array(of: shiftedList, longest: 20), "more_shifted_lists": count,
      "path_reason": string, "cursor": position,
      "diff": diff, "rendered": rendered, "explanation": explanation,
      "headline": string.described("What the update did, as one sentence in the words of the page."),
    ]
  ).described(
    """
    What an update changed, and what it cost. `cursor`, `diff` and `rendered` are present in the log, and `explanation` and `headline` if \
    they are requested.
    """
  ).named("ChangeSet")

  /// The answer to an event that changed nothing.
  static let unchanged = object(
    [
      "view": viewID, "epoch": epoch, "version": version,
      "changes": array(of: change, longest: 0), "notified": array(of: node, longest: 0),
      "observers": integer(from: 0, upTo: 0), "cause": cause.orNull,
    ],
    optional: [
      "navigates_to": string.described("The address to which the carrier navigates."),
      "evaluations": evaluations.described("The views that the action has evaluated on the mirror's page."),
    ]
  ).described("The answer to an event to which the server replied without a diff, or to an action that sends no event.")
    .named("Unchanged")

  static let comparison = object([
    "view": viewID, "epoch": epoch, "version": version, "from": version, "to": version,
    "at": time.described("The time of the update that made the version `to`."),
    "nodes": count.described("The number of nodes in the version `to`, including the document."),
    "changes": array(of: change),
    "notified": array(of: node).described("The nodes that one diff with these changes would notify."),
  ]).described("The changes between two versions. `version` equals `to`.").named("Comparison")

  // MARK: - Changes

  static let change = oneOf(
    [
      "text": .textChange, "attributes": .attributesChange, "add": .addition, "remove": .removal, "move": .move,
    ], by: "op"
  ).named("Change")

  private static let slots = array(of: string).described(
    "The places of the diff that caused the change: `0.3`, `2.k.4`.")
  private static let index = count.described("The index among all children of the parent.")
  private static let kind = oneOf(["element", "text", "comment", "processing-instruction"])

  static let textChange = object([
    "op": constant("text"), "node": node, "parent": node, "before": string, "after": string,
    "slots": slots,
  ]).named("TextChange")

  static let attributesChange = object([
    "op": constant("attributes"), "node": node, "tag": string, "before": dictionary(of: string.orNull),
    "after": dictionary(of: string.orNull), "slots": slots,
  ]).described("`before` and `after` have the attributes that differ; an absent one is `null`.").named(
    "AttributesChange")

  static let addition = object(
    [
      "op": constant("add"), "node": node, "parent": node, "index": index, "kind": kind,
      "nodes": integer(from: 1).described("The number of nodes in the subtree."), "slots": slots,
    ], optional: ["tag": string, "text": string, "target": string]
  ).named("Addition")

  static let removal = object(
    [
      "op": constant("remove"), "node": node, "parent": node, "index": index, "kind": kind,
      "nodes": integer(from: 1).described("The number of removed nodes."), "slots": slots,
    ], optional: ["tag": string]
  ).named("Removal")

  static let move = object(
    [
      "op": constant("move"), "node": node, "kind": kind, "from": place, "to": place,
      "slots": slots,
    ], optional: ["tag": string]
  ).described("`from` counts the children before the changes, `to` those after them.").named("Move")

  static let place = object(["parent": node, "index": index]).named("Place")

  // MARK: - Causes and costs

  static let cause = object([
    "event": string, "type": string.orNull, "value": any.described("The value, without secrets."),
    "target": integer(from: 0).orNull.described("The component."), "ref": string,
    "latency_ms": number.orNull.described("The time from the event to its reply."),
  ]).described("The client's event that the update answers. `null` if the server pushed the update by itself.").named(
    "Cause")

  static let isolation = object([
    "selective": count.described("The subscribers that were called."),
    "filtered": count.described("The calls if one subject called every subscriber for every notified node."),
    "whole": count.described("The views that one observable object for the whole document would evaluate."),
    "everybody": count.described("All subscribers after the update."),
    "uncoalesced": object(["selective": count, "filtered": count, "whole": count]),
    "views": object(["evaluated": count, "for_nothing": count, "evaluations": evaluations]).orNull,
  ]).described("How many subscribers other strategies would have called.").named("Isolation")

  private static let evaluations = array(
    of: object([
      "view": integer(), "node": node, "element": string, "type": string, "reasons": array(of: string),
      "for_nothing": boolean,
    ]), longest: 100)

  private static let waste = object(
    ["bytes": count, "slots": array(of: string, longest: 100)], optional: ["more": count]
  ).described("The part of the diff that changed nothing, including stream operations without effect.")

  private static let shiftedList = object([
    "slot": string.described("The slot of the diff that holds the list."),
    "entries": count.described("The entries that were on the page already, at another position."),
    "of": count.described("The entries of the list after the diff."),
    "bytes": count.described("The size of these entries in the text of the diff."),
  ]).described(
    "A list without keys that sent entries again, because an entry before them was inserted or removed. Not part of `waste`."
  )

  private static let timings = object([
    "decode": count, "merge": count, "render": count, "parse": count, "morph": count, "trace": count, "publish": count,
    "views": count,
  ]).described("Microseconds of each stage.")

  private static let diagnostic = object(["code": string, "node": node.orNull, "message": string])

  // MARK: - Findings

  static let finding = object([
    "code": string.described("The kind, such as `duplicate-id`."),
    "message": string.described("What was found and what browsers make of it."),
    "nodes": array(of: object(["node": node, "path": string.described("A selector, as of `last_version`.")]))
      .described("The nodes concerned, at most 6."),
    "first_version": version, "last_version": version,
    "count": integer(from: 1).described("The number of diffs that showed it."),
    "is_current": boolean.orNull.described(
      "Whether it still holds in the newest version; `null` if that is not known."),
    "explanation": string.described("The path of the explanation on this server."),
  ]).described("One cause of diagnostics.").named("Finding")

  static let findings = object([
    "view": viewID, "epoch": epoch, "version": version, "diagnostics": array(of: finding),
  ]).named("Findings")

  // MARK: - The log

  static let rejection = object(
    [
      "rejected": problem, "view": viewID, "epoch": epoch, "version": version, "at": time,
      "bytes": count, "input": string.described("The beginning of the input, at most 64 KiB."),
      "cursor": position,
    ]
  ).described("An input that did not fit. The view was not changed.").named("Rejection")

  static let logEntry = anyOf([changeSet, rejection]).named("LogEntry")

  static let logPage = object([
    "entries": array(of: logEntry),
    "next": position.orNull.described("The value of `after` for the next entries; `null` at the end."),
    "first": position.orNull.described("The position of the oldest entry."),
  ]).named("LogPage")
}
