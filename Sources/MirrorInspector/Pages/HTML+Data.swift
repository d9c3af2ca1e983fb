extension HTML {
  // MARK: - Texts

  /// A text of the document in quotes: blanks that matter are visible, and beyond `limit` characters it is cut and says
  /// how long it is.
  static func quoted(_ text: String, limit: Int = 100) -> HTML {
    let length = text.unicodeScalars.count
    let part = text.unicodeScalars.prefix(limit)
    let rest: HTML? = length > limit ? "<span class=\"cut\">… \(count(length)) characters</span>" : nil
    return "<q>\(withVisibleBlanks(part))\(rest)</q>"
  }

  /// A value that may not be there: `–` where it is not.
  static func quoted(_ text: String?, limit: Int = 100) -> HTML {
    text.map { quoted($0, limit: limit) } ?? "<span class=\"absent\" title=\"absent\">–</span>"
  }

  /// Line ends, tabs, and every blank that is not a single one between words.
  ///
  /// - Parameter keepingLines: line ends also end the line, for a `pre`.
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

  /// One picture a blank; of more than four spaces, their number.
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
  static func count(_ number: Int) -> HTML {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return "\(text)"
  }

  /// `1 node`, `3 nodes`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> HTML {
    "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `124 B`, `12.4 kB`.
  static func bytes(_ number: Int) -> HTML {
    switch number {
    case ..<1_000: "\(number) B"
    case ..<1_000_000: "\(number / 1_000).\(number / 100 % 10) kB"
    default: "\(count(number / 1_000_000)).\(number / 100_000 % 10) MB"
    }
  }

  /// A moment in UTC: the time of day to read, or the date with it; the whole of it to a program.
  static func time(_ milliseconds: Int64, withDate: Bool = false) -> HTML {
    let (date, time) = utc(milliseconds)
    return "<time datetime=\"\(date)T\(time)\" title=\"\(date)T\(time)\">\(withDate ? "\(date) " : "")\(time)</time>"
  }

  /// Days to a date in the proleptic Gregorian calendar, counted in years that begin in March.
  private static func utc(_ milliseconds: Int64) -> (date: String, time: String) {
    let day = Int64(86_400_000)
    let days = milliseconds >= 0 ? milliseconds / day : (milliseconds - day + 1) / day
    let rest = milliseconds - days * day
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(calendarMonth, 2))-\(padded(dayOfYear - (153 * month + 2) / 5 + 1, 2))"
    let (seconds, thousandths) = (rest / 1_000, rest % 1_000)
    let time = "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    return (date, "\(time).\(padded(thousandths, 3))Z")
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Unicode.Scalar {
  /// White space that a reader could take for nothing.
  fileprivate var isBlank: Bool { properties.isWhitespace && !isUnseen || self == "\n" || self == "\t" }
}
