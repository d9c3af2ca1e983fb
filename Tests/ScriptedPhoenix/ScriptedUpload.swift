internal import Foundation

/// An upload that a view allows, as `allow_upload/3` of LiveView 1.0 to 1.2 does.
package struct ScriptedUpload: Sendable {
  package var maximumEntries = 1
  /// In bytes.
  package var maximumFileSize = 8_000_000
  package var chunkSize = 64_000
  /// The extensions of accepted files, such as `.txt`.
  package var accepted: Set<String> = []
  /// Whether valid entries are uploaded although others are not valid.
  package var isAutomatic = false

  package init() {}

  /// The answer to `allow_upload`: a token for each entry that may be uploaded, and errors.
  func preflight(of entries: [[String: Any]], ref: String) -> String {
    var tokens: [String: Any] = [:]
    var errors: [(ref: String, reason: String)] = []
    for entry in entries {
      guard let entryRef = entry["ref"] as? String else { continue }
      let name = entry["name"] as? String ?? ""
      if (entry["size"] as? Int ?? 0) > maximumFileSize {
        errors.append((entryRef, "too_large"))
      } else if !accepted.contains(where: name.hasSuffix) {
        errors.append((entryRef, "not_accepted"))
      } else {
        tokens[entryRef] = "TOKEN-\(entryRef)"
      }
    }
    if entries.count > maximumEntries { errors.append((ref, "too_many_files")) }
    // Without automatic uploads one error refuses them all.
    if !isAutomatic, !errors.isEmpty {
      return ChannelFrame.text(["ref": ref, "error": errors.map { [$0.ref, $0.reason] }] as [String: Any])
    }
    let config = [
      "max_file_size": maximumFileSize, "max_entries": maximumEntries, "chunk_size": chunkSize, "chunk_timeout": 10_000,
    ]
    let reasons = Dictionary(grouping: errors, by: \.ref).mapValues { $0.map(\.reason) }
    return ChannelFrame.text(
      ["ref": ref, "config": config, "entries": tokens, "errors": reasons.filter { $0.key != ref }] as [String: Any])
  }
}
