internal import LiveViewMirror

// The costs of slots and lists.

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
