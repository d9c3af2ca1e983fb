internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

extension WasteReport {
  /// The report as aligned tables for a terminal, with a line feed at the end.
  /// `GET /views/{view}/waste` answers with it as plain text.
  ///
  ///     main v3  9 B of 3 diffs (83 B) without effect; values of 2 slots: 15 B
  ///
  ///     slot  bytes  without effect  diffs  diffs without effect  last  line
  ///     1     9      6               3      2                     v3    lib/live/basic.ex:146 (MyApp.Live.row)
  ///
  /// Text of the LiveView is escaped.
  package var text: String {
    let slots = slotsWithBytes
    var text =
      "\(Terminal.line(view)) v\(version)  \(Formatted.bytes(wastedBytes)) of \(Formatted.count(diffs, "diff")) (\(Formatted.bytes(diffBytes))) without effect; "
      + "values of \(Formatted.count(slots.count, "slot")): \(Formatted.bytes(bytes))\n"
    if !slots.isEmpty {
      text +=
        "\n"
        + TextTable(
          head: ["slot", "bytes", "without effect", "diffs", "diffs without effect", "last", "line"],
          rows: (slots.map { ($0.name, $0) } + [others].compactMap(\.self).map { ("others", $0) }).map { name, slot in
            [
              name, "\(slot.bytes)", "\(slot.wastedBytes)", "\(slot.diffs)", "\(slot.wastedDiffCount)",
              "v\(slot.lastVersion)", slot.source.text,
            ]
          }
        ).text()
    }
    if !lists.isEmpty {
      text +=
        "\n"
        + TextTable(
          head: ["list", "kind", "diffs", "entries", "unchanged", "whole", "shifted", "recreated", "last", "line"],
          rows: lists.map { list in
            [
              list.name, list.kind.text, "\(list.diffs)", "\(list.entries)", "\(list.unchangedEntryCount)",
              "\(list.wholeResendCount)", "\(list.shiftedEntryCount)", "\(list.recreatedElementCount)",
              "v\(list.lastVersion)",
              list.source.text,
            ]
          }
        ).text()
      for list in lists { if let advice = list.advice { text += "\n\(list.name): \(advice)" } }
      if lists.contains(where: { $0.advice != nil }) { text += "\n" }
    }
    if !hasAnnotations { text += "\n\(Self.annotationHint)\n" }
    return text
  }
}

extension WasteReport.Slot {
  /// The slot for readers.
  package var name: String { ChangeRecord.name(ofSlot: slot) }
}

extension WasteReport.List {
  /// The slot for readers.
  package var name: String { ChangeRecord.name(ofSlot: slot) }
}

extension ListKind {
  /// `by index` for ``byIndex``.
  package var text: String { self == .byIndex ? "by index" : rawValue }
}

extension TemplateSource {
  /// `lib/live/basic.ex:146 (MyApp.Live.row)`; empty without annotations. Control characters are
  /// escaped.
  package var text: String {
    let place = location.map { Terminal.line("\($0.file):\($0.line)") }
    let name = function.map { Terminal.line(place == nil ? $0 : "(\($0))") }
    return [place, name].compactMap(\.self).joined(separator: " ")
  }
}
