internal import ArgumentParser
internal import CommandSupport
internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// The text of a problem (RFC 9457), by which a mirror reports why a request has failed.
/// ``MirrorResponse/problemText`` and ``ImportSummary`` contain the detail.
struct ProblemText: Equatable {
  var detail: String

  /// - Returns: `nil` if the bytes are not a problem.
  init?(_ json: [UInt8]) {
    guard let members = try? WireDecoder().members(json),
      case .string(let detail) = members["detail"] ?? members["title"]
    else { return nil }
    self.detail = detail
    // The place is added unless the detail names it already, as that of an update's error does.
    if case .string(let pointer) = members["pointer"], !pointer.isEmpty, !detail.contains(pointer) {
      self.detail += " (at \(pointer))"
    } else if case .integer(let offset) = members["offset"], !detail.contains("byte \(offset)") {
      self.detail += " (at byte \(offset))"
    }
  }
}

extension MirrorResponse {
  var isSuccess: Bool { (200..<300).contains(status) }

  /// Why the request failed, on one line, with what to do about it.
  var problemText: String {
    let reason = ProblemText(body)?.detail
    let text =
      switch status {
      case 401:
        "the mirror needs a token: set --token, --token-file, MIRROR_TOKEN or MIRROR_TOKEN_FILE"
      case 413: (reason ?? "the mirror refuses a body of this length.") + " Start the mirror with a higher --max-body."
      default: reason ?? "the response has the status \(status), and is not a mirror's: check the address"
      }
    return Terminal.line(text)
  }

  /// The exit code for the status.
  var exitCode: ExitCode {
    switch status {
    case 401, 403: .notPermitted
    case 409, 504: .noAnswer
    case 429, 503: .unavailable
    default: .badInput
    }
  }
}
