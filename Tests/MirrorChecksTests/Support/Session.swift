@testable import MirrorChecks

/// A recording that a test writes: the frames of a LiveView, with times.
struct Session {
  private(set) var text = ""
  private var time = 1_000_000
  private var ref = 4
  let topic: String
  private let version: String?
  private let url: String

  /// - Parameters:
  ///   - topic: the topic of the view.
  ///   - rendered: its page as JSON.
  ///   - version: the version that the server names.
  init(_ rendered: String, topic: String = "lv:phx-1", version: String? = nil, url: String = "http://localhost/") {
    (self.topic, self.url) = (topic, url)
    self.version = version
    mount(rendered)
  }

  /// Joins the view, for the first time or again.
  mutating func mount(_ rendered: String) {
    let named = version.map { #""liveview_version":"\#($0)","# } ?? ""
    frame(#"["4","\#(ref)","\#(topic)","phx_join",{"url":"\#(url)"}]"#, isSent: true)
    frame(#"["4","\#(ref)","\#(topic)","phx_reply",{"status":"ok","response":{\#(named)"rendered":\#(rendered)}}]"#)
  }

  /// An event of the client and its answer, 10 ms later by default.
  mutating func event(_ name: String, after latency: Int = 10, _ diff: String?) {
    ref += 1
    frame(
      #"["4","\#(ref)","\#(topic)","event",{"type":"click","event":"\#(name)","value":{}}]"#, isSent: true)
    time += latency
    let response = diff.map { #"{"diff":\#($0)}"# } ?? "{}"
    frame(#"["4","\#(ref)","\#(topic)","phx_reply",{"status":"ok","response":\#(response)}]"#)
    time += 100
  }

  /// A diff that the server pushes by itself.
  mutating func push(_ diff: String) { frame(#"["4",null,"\#(topic)","diff",\#(diff)]"#) }

  private mutating func frame(_ frame: String, isSent: Bool = false) {
    text += #"{"at":\#(time),"sent":\#(isSent),"frame":\#(frame)}"# + "\n"
  }

  mutating func removeSentFrames() {
    text = text.split(separator: "\n").filter { !$0.contains(#""sent":true"#) }.map { $0 + "\n" }.joined()
  }

  var bytes: [UInt8] { Array(text.utf8) }

  func measured(_ name: String = "session.ndjson") throws -> Measurement {
    try Recorder(name: name).measure(bytes)
  }

  func recorded(_ name: String = "session.ndjson") throws -> (recorder: Recorder, measurement: Measurement) {
    let recorder = Recorder(name: name, keepsPages: true)
    return (recorder, try recorder.measure(bytes))
  }
}

extension Budget {
  /// A budget from YAML, without the limits of the standard budget that it does not mention.
  init(_ yaml: String) throws { self = try BudgetReader.read(Array(yaml.utf8), name: "mirror.yml") }
}

extension Check {
  /// The titles of the exceeded limits.
  var broken: [String] { violations.map(\.title) }
}

extension CheckReport {
  /// A report without a budget and with these warnings.
  init(_ checks: [Check], warnings: [String] = []) {
    self.init(checks, within: .standard, of: "mirror.yml", isStrict: false)
    self.warnings = warnings
  }
}
