internal import MirrorSupport
internal import RenderedTree

/// A decoded input of a view: a message, or the reason why the bytes are not a message. The
/// ``LiveViewCoordinator`` decodes an input before it waits for its turn to update the view, and
/// processes the decoded input during the turn.
struct DecodedInput {
  let message: Result<WireMessage, UpdateError>
  /// The bytes that a rejection in the log shows: those of the update as they were received, or the
  /// whole input if no update was found in it.
  let bytes: [UInt8]
  /// The time that decoding took.
  let microseconds: Int

  /// A message that is already decoded, such as one of `POST /frames`.
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

/// The decoders of a mirror: ``LiveViews`` has one pool for `POST /frames` and for all of its
/// views. Inputs are decoded before their updates wait for their turns, so several threads may
/// decode at the same time.
///
/// A decoder is used by one thread at a time, because its buffers are reused. At most two idle
/// decoders are kept.
final class DecoderPool: Sendable {
  private let idle = Guarded<[WireDecoder]>([])
  private static let mostIdle = 2
  private let bound: MemoryBound

  init(within bound: MemoryBound = .unlimited) { self.bound = bound }

  /// - Parameter isMount: whether the bytes are a Rendered; otherwise they are a diff.
  func decode(_ bytes: [UInt8], isMount: Bool) -> DecodedInput {
    withDecoder { decoder in
      var watch = Stopwatch()
      do throws(UpdateError) { try checkMemory(of: bytes) } catch {
        return DecodedInput(.failure(error), of: bytes, microseconds: 0)
      }
      do throws(WireError) {
        let message = try decoder.update(bytes, isMount: isMount)
        return DecodedInput(.success(message), of: bytes, microseconds: watch.lap())
      } catch {
        let update = decoder.updateRange.map { Array(bytes[$0]) }
        return DecodedInput(.failure(UpdateError(error)), of: update ?? bytes, microseconds: watch.lap())
      }
    }
  }

  /// - Returns: the frames. The time of decoding is divided among the updates by their bytes.
  func decode(frames bytes: [UInt8]) throws(UpdateError) -> WireDecoder.Frames {
    try checkMemory(of: bytes)
    let (result, time) = withDecoder { decoder in
      var watch = Stopwatch()
      let result = Result { () throws(WireError) in try decoder.frames(bytes) }
      return (result, watch.lap())
    }
    do throws(WireError) {
      var frames = try result.get()
      for index in frames.messages.indices {
        guard case .success(var message) = frames.messages[index] else { continue }
        message.microseconds = time * min(message.json.text.utf8.count, bytes.count) / max(1, bytes.count)
        frames.messages[index] = .success(message)
      }
      return frames
    } catch {
      throw UpdateError(error)
    }
  }

  /// Refuses an input for which the memory does not suffice. A single text takes up to eight times
  /// its length until it is in the document and in the log.
  private func checkMemory(of bytes: [UInt8]) throws(UpdateError) { try bound.require(8 * bytes.count) }

  private func withDecoder<Result>(_ body: (WireDecoder) -> Result) -> Result {
    let decoder = idle.withLock { $0.popLast() } ?? WireDecoder()
    defer { idle.withLock { if $0.count < Self.mostIdle { $0.append(decoder) } } }
    return body(decoder)
  }
}
