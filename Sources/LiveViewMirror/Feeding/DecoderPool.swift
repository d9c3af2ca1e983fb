internal import MirrorSupport
internal import RenderedTree

/// A decoded input of a view: a message, or the reason why the bytes are not a message.
struct DecodedInput {
  let message: Result<WireMessage, UpdateError>
  /// The bytes that a rejection in the log shows: those of the update as they were received, or the whole input without an update.
  let bytes: [UInt8]
  /// The time that decoding took.
  let microseconds: Int

  /// A message that was decoded elsewhere.
  init(_ message: WireMessage) {
    self.message = .success(message)
    bytes = []
    microseconds = 0
  }

  init(_ message: Result<WireMessage, UpdateError>, of bytes: [UInt8], microseconds: Int) {
    self.message = message
    self.bytes = bytes
    self.microseconds = microseconds
  }
}

/// The decoders of one view. An input is decoded before its update has its turn, so several threads may decode at the same time.
///
/// One idle decoder is kept, because its buffers are worth reusing.
final class DecoderPool: Sendable {
  private let idle = Guarded<WireDecoder?>(nil)

  /// - Parameter isMount: whether the bytes are a Rendered; otherwise they are a diff.
  func decode(_ bytes: [UInt8], isMount: Bool) -> DecodedInput {
    let decoder = take() ?? WireDecoder()
    defer { idle.withLock { $0 = decoder } }
    var watch = Stopwatch()
    do throws(WireError) {
      let message = try decoder.update(bytes, isMount: isMount)
      return DecodedInput(.success(message), of: bytes, microseconds: watch.lap())
    } catch {
      let update = decoder.updateRange.map { Array(bytes[$0]) }
      return DecodedInput(.failure(UpdateError(error)), of: update ?? bytes, microseconds: watch.lap())
    }
  }

  private func take() -> WireDecoder? {
    idle.withLock { idle in
      defer { idle = nil }
      return idle
    }
  }
}
