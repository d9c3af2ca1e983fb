internal import MirrorSupport
internal import NodeObservation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Keeps values in a file. The file holds one JSON object, with a member for each key.
///
/// ```swift
/// let settings = FileStore(path: "settings.json")
/// let size = SharedKey("size", default: 12, in: settings)
/// ```
///
/// All values that a publication has set are written together at its end: into a new file, which then replaces the old file by a
/// rename. After a crash the file therefore has either the old or the new content. Members that this program does not know are
/// kept. Changes by other programs are kept too, and become visible after ``reload()``.
///
/// A broken file is never overwritten. It is reported as ``SharedStore/lastError``, and each value is its default. When a value
/// is set, the broken file is renamed to an unused name.
public final class FileStore: SharedStore {
  /// The path of the file.
  public let path: String
  /// The values in memory.
  public let values = SharedValues()

  private struct State: Sendable {
    /// The content at the last read or write.
    var file = JSONObject()
    /// Encoded values that are not written yet.
    var unsaved: [String: [UInt8]] = [:]
  }

  private let state = Guarded(State())
  private let file: StoredFile

  /// Reads the file. A missing file counts as empty.
  public init(path: String) {
    self.path = path
    file = StoredFile(path: path)
    do throws(SharedError) { try read() } catch { values.report(error) }
  }

  /// Reads the file again, and notifies the readers and subscribers of values that differ.
  ///
  /// - Throws: ``SharedError`` if the file is broken or cannot be read. In this case no value changes. A single value that cannot
  ///   be decoded is only reported as ``SharedStore/lastError``.
  public func reload() throws(SharedError) {
    try read()
    values.reload()
  }

  private func read() throws(SharedError) {
    let object = try file.read()
    state.withLock { $0.file = object }
  }

  // MARK: - Loading and saving

  /// The value that is waiting to be written, otherwise the value in the file when it was last read or written; `nil` if neither
  /// exists.
  ///
  /// - Throws: ``SharedError/undecodable(key:path:reason:)`` if the value cannot be decoded as this type.
  public func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value? {
    guard let bytes = state.withLock({ $0.unsaved[name] ?? $0.file[name] }) else { return nil }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw .undecodable(key: name, path: path, reason: (error as? DecodingError)?.summary ?? "\(error)")
    }
  }

  /// Encodes a value. The value is written when the publication on this thread has ended.
  ///
  /// - Throws: ``SharedError/unencodable(key:reason:)`` if the value cannot be encoded as JSON.
  public func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError) {
    let bytes: [UInt8]
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      bytes = Array(try encoder.encode(value))
    } catch {
      throw .unencodable(key: name, reason: "\(error)")
    }
    state.withLock { $0.unsaved[name] = bytes }
    do throws(PublicationCycle) {
      try Publication.afterwards(once: ObjectIdentifier(self), "writing \(path)") { self.writeOrReport() }
    } catch {
      // The publication refuses to defer more work because of a cycle, so the file is written now.
      writeOrReport()
    }
  }

  private func writeOrReport() {
    do throws(SharedError) { try write() } catch { values.report(error) }
  }

  /// Writes the values that are waiting to be written. The store calls this function itself. Call it to try again after an error.
  ///
  /// - Throws: ``SharedError`` if the file cannot be read or written. The values then remain unwritten.
  public func write() throws(SharedError) {
    try state.withLock { state throws(SharedError) in
      guard !state.unsaved.isEmpty else { return }
      let unsaved = state.unsaved
      state.file = try file.update { object in for (name, value) in unsaved { object[name] = value } }
      state.unsaved = [:]
    }
  }
}
