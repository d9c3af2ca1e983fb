/// Replaces the imports of a style sheet by the imported files, its parts, so that a page loads one
/// file.
///
/// ``StaticFiles`` calls this for each style sheet. A line of the form `@import "base.css";` or
/// `@import "parts/base.css";` is replaced by the file with that path in the folder of the style
/// sheet. Other imports, and those of a file that does not exist, stay as they are. Imports in a
/// part are not replaced either, so a style sheet that imports itself causes no endless loop.
enum StyleSheetParts {
  /// - Parameter read: returns the content of the file with this path, given as segments, in the
  ///   style sheet's folder; `nil` if the file is not served.
  static func inserted(in sheet: [UInt8], read: ([String]) -> [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(sheet.count)
    var rest = sheet[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let line = rest[..<end]
      let part = path(of: line).flatMap(read)
      result += part ?? Array(line)
      if let last = part?.last, last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
      rest = rest[end...]
    }
    return result
  }

  /// The path in a line that is an import and nothing else.
  private static func path(of line: ArraySlice<UInt8>) -> [String]? {
    let (start, end) = ("@import \"".utf8, "\";".utf8)
    let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line
    guard text.count > start.count + end.count, text.starts(with: start), text.suffix(end.count).elementsEqual(end)
    else {
      return nil
    }
    return String(decoding: text.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
      .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}
