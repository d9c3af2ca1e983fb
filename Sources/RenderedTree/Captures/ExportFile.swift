internal import MirrorSupport

/// One or more exports of this program: each begins with a line `{"liveview_mirror": …}`.
/// ``CaptureReader`` reads them, and the command `import` joins the exports of one page.
package enum ExportFile {
  /// - Returns: `nil` if the file does not begin as an export does.
  /// - Complexity: O(*bytes*).
  static func read(_ bytes: [UInt8]) -> Capture? {
    guard bytes.drop(while: JSONSyntax.isSpace).starts(with: mark) else { return nil }
    var pages: [CapturedPage] = []
    let decoder = WireDecoder()
    for (index, line) in bytes.lines().enumerated() {
      if var header = header(line, with: decoder) {
        header.origin = .part(line: index + 1, byte: line.startIndex)
        pages.append(header)
      } else if pages.isEmpty, line.contains(where: { !JSONSyntax.isSpace($0) }) {
        return nil
      }
      if !pages.isEmpty { pages[pages.count - 1].input += line }
    }
    return pages.isEmpty ? nil : Capture(format: .export, pages: pages)
  }

  private static let mark = Array("{\"\(WireDecoder.Reader.exportMark)\"".utf8)

  private static func header(_ line: ArraySlice<UInt8>, with decoder: WireDecoder) -> CapturedPage? {
    guard line.starts(with: mark) else { return nil }
    return line.withUnsafeBufferPointer { line in
      guard let tape = try? decoder.parse(line) else { return nil }
      let top = WireDecoder.Reader.top
      let described = tape.member("page", of: top)
      func text(_ name: String) -> String? { described.flatMap { tape.member(name, of: $0) }.flatMap(tape.string) }
      var page = CapturedPage(id: text("id"))
      page.url = text("url")
      page.title = text("title")
      page.view = tape.member("view", of: top).flatMap(tape.string)
      page.viewURL = tape.member("url", of: top).flatMap(tape.string)
      return page
    }
  }
}

// MARK: - Several files

extension ExportFile {
  /// Groups the files whose exports belong to one page. An import gives new ids to the pages of
  /// each file. Views of one page that were exported to several files therefore become one page
  /// again only if these files are imported as one.
  ///
  /// Two exports of the same view stay in two groups. If both were imported as one page, the second
  /// export would be mounted over the first.
  ///
  /// - Parameter files: the contents of the files.
  /// - Returns: the indices of the files, in groups, in the order of the first file of each group.
  ///   A file of another format is a group of its own.
  /// - Complexity: O(*bytes of all exports*).
  package static func groups(_ files: [[UInt8]]) -> [[Int]] {
    var groups: [(files: [Int], views: Set<String>)] = []
    /// The group of each page.
    var pages: [String: Int] = [:]
    for (index, bytes) in files.enumerated() {
      let parts = read(TextEncoding.utf8(bytes))?.pages ?? []
      let (ids, views) = (Set(parts.compactMap(\.id)), Set(parts.compactMap(\.view)))
      // A file with the views of several pages joins their groups.
      let known = Set(ids.compactMap { pages[$0] }).sorted()
      if let group = known.first, known.allSatisfy({ groups[$0].views.isDisjoint(with: views) }) {
        for other in known.dropFirst() {
          groups[group].files += groups[other].files
          groups[group].views.formUnion(groups[other].views)
          groups[other] = ([], [])
          for (id, place) in pages where place == other { pages[id] = group }
        }
        groups[group].files.append(index)
        groups[group].views.formUnion(views)
        for id in ids { pages[id] = group }
      } else {
        for id in ids where pages[id] == nil { pages[id] = groups.count }
        groups.append(([index], views))
      }
    }
    return groups.map(\.files).filter { !$0.isEmpty }
  }

  /// The contents of several files as one file in UTF-8, each with a line end after its last line.
  package static func joined(_ files: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for file in files {
      bytes += TextEncoding.utf8(file)
      if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    }
    return bytes
  }
}
