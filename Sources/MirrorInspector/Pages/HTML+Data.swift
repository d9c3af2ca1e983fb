internal import MirrorSupport

/// Texts, numbers and times as markup, in the same form on all pages.
extension HTML {
  // MARK: - Texts

  /// A text of the document in quotes. Significant white space is visible. A text of more than
  /// `limit` characters is truncated, with its length.
  static func quoted(_ text: String, limit: Int = 100) -> HTML {
    let length = text.unicodeScalars.count
    let part = text.unicodeScalars.prefix(limit)
    let rest: HTML? = length > limit ? "<span class=\"cut\">… \(count(length)) characters</span>" : nil
    return "<q>\(withVisibleBlanks(part))\(rest)</q>"
  }

  /// An optional value; `–` if it is absent.
  static func quoted(_ text: String?, limit: Int = 100) -> HTML {
    text.map { quoted($0, limit: limit) } ?? "<span class=\"absent\" title=\"absent\">–</span>"
  }

  /// Makes white space visible, such as line ends, tabs and spaces. A single space between two
  /// words stays as it is.
  ///
  /// - Parameter keepingLines: whether a line end also ends the line, for a `pre`.
  static func withVisibleBlanks(_ text: Substring.UnicodeScalarView, keepingLines: Bool = false) -> HTML {
    var parts: [HTML] = []
    var rest = text
    while !rest.isEmpty {
      let words = rest.prefix { !$0.isBlank }
      if !words.isEmpty { parts.append("\(words)") }
      rest = rest.dropFirst(words.count)
      let blanks = rest.prefix { $0.isBlank }
      rest = rest.dropFirst(blanks.count)
      if blanks.isEmpty { continue }
      let isBetweenWords = blanks.count == 1 && blanks.first == " " && !parts.isEmpty && !rest.isEmpty
      let shown = pictures(of: blanks, keepingLines: keepingLines)
      parts.append(isBetweenWords ? " " : "<span class=\"blank\">\(shown)</span>")
    }
    return "\(parts)"
  }

  /// One picture for each character. More than four equal characters become one picture with their
  /// number.
  private static func pictures(of blanks: Substring.UnicodeScalarView, keepingLines: Bool) -> HTML {
    var parts: [HTML] = []
    var rest = blanks
    while let blank = rest.first {
      let run = rest.prefix { $0 == blank }.count
      rest = rest.dropFirst(run)
      let picture: HTML =
        switch blank {
        case " ": "·"
        case "\n": keepingLines ? "↵\n" : "↵"
        case "\t": "⇥"
        default: "⍽"
        }
      let isCounted = run > 4 && !(keepingLines && blank == "\n")
      parts += isCounted ? ["\(picture)×\(run)"] : Array(repeating: picture, count: run)
    }
    return "\(parts)"
  }

  // MARK: - Numbers and times

  /// `60,014`.
  static func count(_ number: Int) -> HTML { "\(Formatted.grouped(number))" }

  /// `1 node`, `3 nodes`.
  static func count(_ number: Int, _ noun: String) -> HTML { "\(Formatted.count(number, noun))" }

  /// `124 B`, `12.4 kB`.
  static func bytes(_ number: Int) -> HTML { "\(Formatted.size(number))" }

  /// A time in UTC: the time of day or the date as text, the complete timestamp in the `datetime`
  /// attribute.
  static func time(_ milliseconds: Int64, withDate: Bool = false) -> HTML {
    let moment = Timestamp.text(milliseconds)
    let parts = moment.split(separator: "T").map(String.init)
    return
      "<time datetime=\"\(moment)\" title=\"\(moment)\">\((withDate ? parts : parts.suffix(1)).joined(separator: " "))</time>"
  }
}

extension Unicode.Scalar {
  /// White space that a reader could overlook.
  fileprivate var isBlank: Bool { properties.isWhitespace && !isUnseen || self == "\n" || self == "\t" }
}

extension HTML {
  /// A number in at most four characters: `999`, `1.2k`, `35k`.
  static func short(_ number: Int) -> HTML {
    switch number {
    case ..<1_000: "\(number)"
    case ..<10_000: "\(number / 1_000).\(number / 100 % 10)k"
    case ..<1_000_000: "\(number / 1_000)k"
    default: "\(number / 1_000_000)M"
    }
  }

  /// The time between two moments in milliseconds since 1970: `+120 ms`, `+1.2 s`, `+3 min`,
  /// `+2 h`.
  static func since(_ earlier: Int64, _ later: Int64) -> HTML { "+\(duration(later &- earlier))" }

  /// Milliseconds as `120 ms`, `1.2 s`, `3 min` or `2 h`; negative ones as zero.
  static func duration(_ milliseconds: Int64) -> HTML {
    let time = Int(max(0, milliseconds))
    return switch time {
    case ..<1_000: "\(time) ms"
    case ..<60_000: "\(time / 1_000).\(time / 100 % 10) s"
    case ..<3_600_000: "\(time / 60_000) min"
    case ..<86_400_000: "\(time / 3_600_000) h"
    default: "\(count(time / 86_400_000)) d"
    }
  }
}

extension HTML {
  /// The time since a moment: `just now`, `3 s ago`, `2 min ago`, `5 h ago`, `4 d ago`. The
  /// complete timestamp is in the attributes `datetime` and `title`. A moment more than 2 s in the
  /// future is shown as a timestamp, because it is from a clock that differs.
  ///
  /// - Parameters:
  ///   - moment: in milliseconds since 1970, at most the year 9999: the decoder refuses later
  ///     times.
  ///   - now: in milliseconds since 1970.
  static func ago(_ moment: Int64, now: Int64) -> HTML {
    let age = now - moment
    guard age > -2_000 else { return time(moment, withDate: true) }
    let text: HTML =
      switch age {
      case ..<2_000: "just now"
      case ..<60_000: "\(age / 1_000) s ago"
      case ..<3_600_000: "\(age / 60_000) min ago"
      case ..<86_400_000: "\(age / 3_600_000) h ago"
      default: "\(count(Int(age / 86_400_000))) d ago"
      }
    let timestamp = Timestamp.text(moment)
    return "<time datetime=\"\(timestamp)\" title=\"\(timestamp)\">\(text)</time>"
  }
}
