/// One or more exports of this program: each begins with a line `{"liveview_mirror": …}`.
enum ExportFile {
  /// - Returns: `nil` if the file does not begin as an export does.
  static func read(_ bytes: [UInt8]) -> Capture? {
    var pages: [CapturedPage] = []
    let decoder = WireDecoder()
    for line in bytes.lines() {
      if let header = header(line, with: decoder) {
        pages.append(header)
      } else if pages.isEmpty, line.contains(where: { !JSONFault.isSpace($0) }) {
        return nil
      }
      if !pages.isEmpty { pages[pages.count - 1].input += line }
    }
    return pages.isEmpty ? nil : Capture(format: .export, pages: pages)
  }

  private static func header(_ line: ArraySlice<UInt8>, with decoder: WireDecoder) -> CapturedPage? {
    let mark = Array("{\"\(WireDecoder.Reader.exportMark)\"".utf8)
    guard line.starts(with: mark) else { return nil }
    return line.withUnsafeBufferPointer { line in
      guard let tape = try? decoder.parse(line) else { return nil }
      let top = WireDecoder.Reader.top
      let described = tape.member("page", of: top)
      func text(_ name: String) -> String? { described.flatMap { tape.member(name, of: $0) }.flatMap(tape.string) }
      var page = CapturedPage(id: text("id"))
      page.url = text("url")
      page.title = text("title")
      page.viewURL = tape.member("url", of: top).flatMap(tape.string)
      return page
    }
  }
}
