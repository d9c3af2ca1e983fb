import Foundation

/// A part of an example, as an article shows it.
struct Region: Equatable {
  let name: String
  /// The text without the common indentation of its lines.
  var text: String

  /// All regions of a source in order. Continued regions are joined.
  static func all(in source: String) -> [Region] {
    var regions: [Region] = []
    var open: (name: String, isContinued: Bool, lines: [String])?
    for line in source.components(separatedBy: "\n") {
      let mark = line.trimmingCharacters(in: .whitespaces)
      if let title = mark.suffix(after: "// example: ") {
        let name = title.replacing(", continued", with: "")
        open = (name, name != title, [])
      } else if mark == "// end", let region = open {
        let text = unindented(region.lines)
        if region.isContinued, let last = regions.indices.last {
          regions[last].text += "\n\n" + text
        } else {
          regions.append(Region(name: region.name, text: text))
        }
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    return regions
  }

  private static func unindented(_ lines: [String]) -> String {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }
}

extension String {
  func suffix(after prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
