internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport

extension WasteReport {
  /// The body of `GET /views/{view}/waste`.
  var json: [UInt8] {
    JSONWriter { json in
      json.version(version, of: view, epoch: epoch)
      json.member("diffs", diffs)
      json.member("diff_bytes", diffBytes)
      json.member("bytes", bytes)
      json.member("wasted_bytes", wastedBytes)
      json.objects("slots", slots) { json, slot in
        json.member("slot", slot.slot)
        slot.writeSums(to: &json)
        slot.source.write(to: &json)
      }
      json.object("others", others) { $1.writeSums(to: &$0) }
      json.array("lists", lists) { $1.write(to: &$0) }
      json.member("annotations", hasAnnotations)
      json.member("hint", hasAnnotations ? nil : Self.annotationHint)
    }.bytes
  }
}

extension WasteReport.Slot {
  fileprivate func writeSums(to json: inout JSONWriter) {
    json.member("bytes", bytes)
    json.member("wasted_bytes", wastedBytes)
    json.member("diffs", diffs)
    json.member("wasted_diffs", wastedDiffCount)
    json.member("last_version", lastVersion)
  }
}

extension WasteReport.List {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("slot", slot)
      json.member("kind", kind.rawValue)
      json.member("diffs", diffs)
      json.member("entries", entries)
      json.member("unchanged_entries", unchangedEntryCount)
      json.member("whole_resends", wholeResendCount)
      json.member("shifted_entries", shiftedEntryCount)
      json.member("recreated_elements", recreatedElementCount)
      json.member("last_version", lastVersion)
      json.member("advice", advice)
      source.write(to: &json)
    }
  }
}

extension TemplateSource {
  /// The members `source` and `function`.
  func write(to json: inout JSONWriter) {
    json.object("source", location) { $1.writeMembers(to: &$0) }
    json.member("function", function)
  }
}
