import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// The views of a recording, by topic. Each is created by its first frame.
struct RecordedViews {
  let recording: Recording
  private let options: UpdateOptions
  private let decoder = WireDecoder()
  private(set) var all: [String: LiveViewCoordinator] = [:]

  init(_ recording: Recording, options: UpdateOptions = UpdateOptions().withAnalyses) {
    self.recording = recording
    self.options = options
  }

  /// The view of a step, which has not received the step's frame yet, and the function that lets it
  /// receive the frame. The function returns the record of a mount or diff.
  mutating func next(_ step: Recording.Step) throws -> (view: LiveViewCoordinator, receive: () throws -> ChangeRecord?)
  {
    let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
    let view = all[step.topic] ?? LiveViewCoordinator(id: step.topic, options: options)
    all[step.topic] = view
    let dialect: Dialect = recording.isNative ? .native : .html
    return (view, { try view.receive(message, dialect: dialect) })
  }
}
