internal import MirrorSupport

/// Checks as JUnit XML: a recording is a test suite, and each limit a test. `check --junit` writes
/// it.
package enum JUnitReport {
  /// The report, with a line feed at the end. The name of a test is the key of its limit in the
  /// budget, so that it stays the same when the limit or the measured value changes.
  package static func text(_ report: CheckReport) -> String {
    let (tests, failures) = report.checks.reduce((0, 0)) { ($0.0 + $1.results.count, $0.1 + $1.violations.count) }
    let failed = report.failures.isEmpty ? 0 : 1
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="liveview-mirror" tests="\(tests + 1)" failures="\(failures + failed)">

      """
    for check in report.checks { text += suite(check) }
    // The suite `check` is in every report, so that CI keeps a history of its result.
    text += "  <testsuite name=\"check\" tests=\"1\" failures=\"\(failed)\" skipped=\"0\">\n"
    text += "    <testcase classname=\"check\" name=\"run\""
    if let first = report.failures.first {
      let all = escaped(report.failures.joined(separator: "\n"))
      text += "><failure message=\"\(escaped(first))\">\(all)</failure></testcase>\n"
    } else {
      text += "/>\n"
    }
    text += "  </testsuite>\n"
    return text + "</testsuites>\n"
  }

  private static func suite(_ check: Check) -> String {
    let skipped = check.results.count { $0.measured == nil }
    var text = """
        <testsuite name="\(escaped(check.measurement.name))" tests="\(check.results.count)" failures="\(check.violations.count)" \
      skipped="\(skipped)">

      """
    for result in check.results { text += test(result, in: check) }
    return text + "  </testsuite>\n"
  }

  private static func test(_ result: Check.Result, in check: Check) -> String {
    let start =
      "    <testcase classname=\"\(escaped(check.measurement.name))\" name=\"\(escaped(result.key))\""
    if result.measured == nil { return start + "><skipped message=\"not measured\"/></testcase>\n" }
    guard let violation = result.violation else { return start + "/>\n" }
    let message = "\(result.title): \(result.measuredText), \(result.limitText)"
    return """
      \(start)>
            <failure type="\(result.rule.rawValue)" message="\(escaped(message))">\(escaped(violation.lines(of: result).joined(separator: "\n")))</failure>
          </testcase>

      """
  }

  /// Escapes text for an attribute or an element. Characters that XML 1.0 does not permit become
  /// U+FFFD.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n", "\t": String(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}

extension Check.Violation {
  /// The lines that describe the violation, without colours: its place and details, the limit, and
  /// what to do.
  func lines(of result: Check.Result) -> [String] {
    let origin = result.origin.text(of: result.rule)
    return findings + ["limit: \(result.key)\(origin.isEmpty ? "" : " at \(origin)")", advice]
  }

  /// The place and the details of the violation.
  var findings: [String] {
    [placeText].compactMap(\.self) + details + (more > 0 ? ["and \(Formatted.grouped(more)) more"] : [])
  }
}
