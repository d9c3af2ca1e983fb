internal import MirrorAnalysis
internal import LiveViewMirror

// The costs of slots and lists, insights, steps and explanations. `AnalysisRoutes` responds with
// them, and `LogRoutes` with explanations. The files in the folder `JSON` write what these schemas
// describe. The tests compare responses with these schemas, so a member must be added in both
// places.

extension Schema {
  private static let source = object(["file": string, "line": count]).orNull.described(
    "The line in the templates; `null` if the app has no debug annotations there.")
  private static let function = string.orNull.described("The function whose template has the slot.")
  private static let templateSlot = string.described(
    "A slot of a template: `2.k.*.1` for all entries of a list, `c.*3.0` for all components with the template of component 3."
  )
  private static let lastVersion = version

  static let wasteReport = object([
    "view": viewID, "epoch": epoch, "version": version,
    "diffs": count.described("The number of diffs that were applied."),
    "diff_bytes": count.described("The size of these diffs as they were received."),
    "bytes": count.described("The size of the values of all slots."),
    "wasted_bytes": count.described("The size of the values that the tree already had: the sum of `waste.bytes`."),
    "slots": array(of: slotCosts, longest: 1_000),
    "others": object([
      "bytes": count, "wasted_bytes": count, "diffs": count, "wasted_diffs": count, "last_version": lastVersion,
    ]).orNull.described("The sums of all slots that are not in `slots`."),
    "lists": array(of: listCosts, longest: 1_000),
    "annotations": boolean.described("Whether the app has HEEx's debug annotations."),
    "hint": string.orNull.described("How to enable the annotations, if the app has none."),
  ]).described("The costs of slots and lists since the mount, including evicted diffs.").named("Waste")

  static let slotCosts = object([
    "slot": templateSlot, "bytes": count.described("The size of the values as compact JSON."),
    "wasted_bytes": count.described("The size of the values that the tree already had."),
    "diffs": count.described("The diffs that sent the slot."),
    "wasted_diffs": count.described("The diffs that changed nothing in it."),
    "last_version": lastVersion, "source": source, "function": function,
  ]).described("What was sent for one slot of a template.").named("SlotCosts")

  static let listCosts = object([
    "slot": templateSlot,
    "kind": oneOf(ListKind.allCases.map(\.rawValue)).described(
      "How LiveView identifies entries. `undecided`: by `:key` or by index; no diff has shown which."),
    "diffs": count, "entries": count.described("The entries that were sent with values."),
    "unchanged_entries": count.described("The entries that were sent with exactly the values that they had."),
    "whole_resends": count.described("The diffs that sent values for every entry."),
    "shifted_entries": count.described(
      "The entries that were sent because an entry before them was inserted or removed."),
    "recreated_elements": count.described("The elements with an id that one diff removed and added again."),
    "last_version": lastVersion, "advice": string.orNull, "source": source, "function": function,
  ]).described("What was sent for one list of a template.").named("ListCosts")
}

// Totals and insights.

extension Schema {
  static let costTotals = allOf([
    object(["view": viewID, "epoch": epoch, "version": version, "from": version, "to": version]),
    object(totals),
  ]).described("What the diffs of a view cost.").named("Totals")

  static let pageTotals = allOf([object(["page": pageID]), object(totals)])
    .described("What the diffs of all views of a page cost.").named("PageTotals")

  private static var totals: KeyValuePairs<String, Schema> {
    [
      "by": oneOf(CostTotals.Grouping.allCases.map(\.rawValue)),
      "diffs": count.described("The number of diffs that are counted."),
      "bytes": count.described("The size of these diffs as they were received."),
      "wasted_bytes": count.described("The size of the values that the tree already had."),
      "evicted_diffs": count.described("The number of diffs that the log no longer keeps."),
      "summary": string.described("One sentence for people."),
      "rows": array(of: costRow),
      "annotations": boolean.described("Whether the app has HEEx's debug annotations."),
    ]
  }

  static let costRow = object(
    [
      "key": string.orNull.described(
        """
        The event, the file and line, or the slot. `null` for diffs that the server pushed, slots without a line or outside of lists, \
        and further slots.
        """),
      "diffs": count.described("The diffs that answer the event, or sent the line, list or slot."),
      "bytes": count.described("For an event the diffs as received, otherwise the values as compact JSON."),
      "wasted_bytes": count, "nodes": count.described("The changes of the document."),
      "latency_ms": object(["median": number, "p95": number, "max": number]).orNull.described(
        "The time from the event to its reply."),
      "source": source, "function": function,
    ], optional: ["view": viewID.described("The view of a list or slot, for a page.")]
  ).named("CostRow")

  static let insights = object([
    "view": viewID, "epoch": epoch, "version": version, "insights": array(of: insight),
  ]).described("What can be improved about a view.").named("Insights")

  static let insight = object([
    "code": string.described(
      "The kind: `unkeyed-list`, `resent-list`, `resent-value`, `lost-identity` or the code of a finding."),
    "message": string, "advice": string.orNull,
    "saves_bytes": count.described("The bytes that were sent although the page had them."),
    "share": number(from: 0, upTo: 1).described("These bytes as a share of the diffs that show it."),
    "source": source, "function": function,
    "versions": array(of: version).described("The kept versions that show it, ascending."),
  ]).named("Insight")
}

// The nine steps of the update process.

extension Schema {
  static let steps = object([
    "view": viewID, "epoch": epoch, "version": version, "path": path,
    "steps": array(of: object(stepMembers), longest: 6),
  ]).described("The steps of one update.").named("Steps")

  static let step = allOf([
    object([
      "view": viewID, "epoch": epoch, "version": version, "path": path,
      "artifact": any.described(
        """
        What the step gave: `rendered` or `diff`, `cause`, `parts` with `markup`, `nodes` or `pairs`, or `changes` and `notified`; `null` \
        for an event if the server pushed the diff.
        """),
    ]),
    object(stepMembers),
  ]).described("One step of an update.").named("Step")

  private static let path = oneOf(["scoped", "full"])
  private static let party = oneOf(UpdateStep.Party.allCases.map(\.rawValue))

  private static var stepMembers: KeyValuePairs<String, Schema> {
    [
      "step": integer(from: 1, upTo: 9), "name": oneOf(UpdateStep.allCases.map(\.name)), "from": party, "to": party,
      "microseconds": count, "input_bytes": count.described("The size of what the step before gave, as text."),
      "output_bytes": count.described("The size of what the step gave, as text."), "summary": string,
      "artifacts": array(of: object(["name": string, "href": string]), longest: 1),
    ]
  }
}

// The parts of a diff in the protocol's terms.

extension Schema {
  static let explanation = allOf([
    explainedPart,
    object(
      [:],
      optional: [
        "unmarked_waste": count.described("The number of slots that were sent without effect, but are not marked.")
      ]),
  ]).described("A diff or Rendered as a tree of its parts. The root is the whole of it.").named("Explanation")

  static let explainedPart = object(
    [
      "path": string.described("As in `slots`: `0.3`, `2.k.4`. Empty for the root."),
      "kind": oneOf(DiffExplanation.Kind.allCases.map(\.rawValue)).described("The term of the protocol."),
      "summary": string.described("One phrase for people."),
      "bytes": count.described("The size of the value in the JSON of the update, without its name."),
      "value": string.orNull.described("The beginning of a value without children."),
      "changes": array(of: count, longest: DiffExplanation.Limits.changes).described(
        "The changes that the part caused: indexes in `changes` of the change set."),
      "nodes": array(of: node).described("The nodes of these changes."),
      "waste": boolean.described("Whether the tree had this value already."),
      "children": array(of: reference(to: "ExplainedPart")).described("In the order of the JSON."),
      "more": count.described("The number of children that are not listed."),
    ],
    optional: ["more_changes": count.described("The number of changes that are not listed.")]
  ).described("A value of a diff or Rendered.").named("ExplainedPart")
}
