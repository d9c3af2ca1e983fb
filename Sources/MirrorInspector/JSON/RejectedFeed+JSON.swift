internal import LiveViewMirror
internal import MirrorSupport

extension LiveViews.RejectedFeed {
  /// `{"at", "frames", "rejected_frames", "view", "reason"}`.
  var json: JSON {
    [
      "at": .string(Timestamp.text(at)), "frames": .integer(frames), "rejected_frames": .integer(rejected),
      "view": JSON(view),
      "reason": .string(reason),
    ]
  }
}
