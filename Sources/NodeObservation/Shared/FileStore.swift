#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Keeps values in a file: one JSON object, with a member for each key.
///
/// ```swift
/// let settings = FileStore(path: "settings.json")
/// let size = SharedKey("size", default: 12, in: settings)
/// ```
///
/// Values are written when the publication that set them has ended, all of them at once, into a new file that then takes
/// the name of the old one: whenever the program or the machine stops, the file is what it was before or what it is
/// after. Members that this program does not know stay as they are. Another program's changes are kept, and seen after
/// ``reload()``.
///
/// A file that is broken is never written over. It is told by ``SharedStore/lastError``, values are their defaults, and
/// the first one that is set puts the file aside, under a name that was free.
public final class FileStore: SharedStore {
  /// Where the file is.
  public let path: String
  /// The values in memory.
  public let values = SharedValues()

  private struct State: Sendable {
    /// What was read last.
    var file = JSONObject()
    /// What has to be written.
    var unsaved: [String: [UInt8]] = [:]
  }

  private let state = Guarded(State())
  private let file: StoredFile

  /// Reads the file. One that is not there is empty.
  public init(path: String) {
    self.path = path
    file = StoredFile(path: path)
    do throws(SharedError) { try read() } catch { values.report(error) }
  }

  /// Reads the file anew, and lets everybody know of the values that are different there.
  ///
  /// - Throws: where the file is broken, or cannot be read: then everything stays as it is. A value alone that does not
  ///   fit its type is told by ``SharedStore/lastError``.
  public func reload() throws(SharedError) {
    try read()
    values.reload()
  }

  private func read() throws(SharedError) {
    let object = try file.read()
    state.withLock { $0.file = object }
  }

  // MARK: - One value

  /// What stands in the file as it was last read, or is still to be written.
  ///
  /// - Throws: ``SharedError/undecodable(key:path:reason:)``.
  public func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value? {
    guard let bytes = state.withLock({ $0.unsaved[name] ?? $0.file[name] }) else { return nil }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      throw .undecodable(key: name, path: path, reason: (error as? DecodingError)?.summary ?? "\(error)")
    }
  }

  /// Written when the publication that runs on this thread has ended.
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
      // What is too deep to be put off is done now.
      writeOrReport()
    }
  }

  private func writeOrReport() {
    do throws(SharedError) { try write() } catch { values.report(error) }
  }

  /// Writes what was set and is not written yet. It is written by itself; this is for whoever was told that it could not
  /// be.
  public func write() throws(SharedError) {
    try state.withLock { state throws(SharedError) in
      guard !state.unsaved.isEmpty else { return }
      let unsaved = state.unsaved
      state.file = try file.update { object in for (name, value) in unsaved { object[name] = value } }
      state.unsaved = [:]
    }
  }
}
