internal import MirrorSupport
internal import NodeObservation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Keeps values in a file. The file holds one JSON object, with a member for each key. The values
/// of `SharedLocation.appStorage(_:)` and ``SharedLocation/fileStorage(_:)`` are in such stores.
///
/// ```swift
/// let settings = FileStore(path: "settings.json")
/// let size = SharedKey("size", default: 12, in: settings)
/// ```
///
/// All values that are set during one `Publication` are written together at its end: into a new
/// file, which then replaces the old file by a rename. After a crash the file therefore has either
/// the old or the new content. Members that this program does not know are kept. Changes by other
/// programs are kept too. Such a change becomes visible when this program next reads or changes a
/// value. Readers and subscribers are notified then, or at the end of the publication that is
/// running then.
///
/// A broken file, which does not hold one JSON object, is never overwritten. The error is reported
/// as ``SharedStore/lastError``, and each value is its default. When a value is set, the broken
/// file is renamed to an unused name.
public final class FileStore: SharedStore {
  /// The path of the file.
  public let path: String
  /// The values in memory.
  public let values = SharedValues()

  private struct State: Sendable {
    /// The content at the last read or write.
    var file = JSONObject()
    /// The version of the file at the last read or write.
    var version: StoredFile.Version?
    /// Encoded values that are not written yet.
    var unsaved: [String: [UInt8]] = [:]
  }

  private let state = Guarded(State())
  private let file: StoredFile

  /// Reads the file. A missing file counts as empty.
  public convenience init(path: String) { self.init(StoredFile(path: path)) }

  private init(_ file: StoredFile) {
    (path, self.file) = (file.path, file)
    do throws(SharedError) { try read() } catch { values.report(error) }
  }

  // MARK: - Stores of the program

  /// The store of `.appStorage(_:)`. By default the file `app-storage.json` in `$XDG_DATA_HOME` (or
  /// `~/.local/share`), in a folder with the name of the program. Set this property before a value
  /// is used, because existing keys keep their store.
  public static var appStorage: FileStore {
    get { appStorageStore.orFirst { FileStore(path: StoredFile.pathOfAppStorage()) } }
    set { appStorageStore.withLock { $0 = newValue } }
  }

  private static let appStorageStore = Guarded<FileStore?>(nil)

  private struct Weak: Sendable { weak let store: FileStore? }
  private static let storesOfOneValue = Guarded<[String: Weak]>([:])

  /// The store of a file that holds one value. Two keys for one path have one store.
  static func ofOneValue(path: String) -> FileStore {
    if let known = storesOfOneValue.withLock({ $0[path]?.store }) { return known }
    let made = FileStore(StoredFile(path: path, holdsOneValue: true))
    return storesOfOneValue.withLock { stores in
      if let known = stores[path]?.store { return known }
      stores = stores.filter { $0.value.store != nil }
      stores[path] = Weak(store: made)
      return made
    }
  }

  // MARK: - Reading the file

  /// Reads the file again, and notifies the readers and subscribers of values that differ.
  ///
  /// - Throws: ``SharedError`` if the file is broken or cannot be read. In this case no value
  ///   changes. A single value that cannot be decoded is only reported as
  ///   ``SharedStore/lastError``.
  public func reload() throws(SharedError) {
    try read()
    values.reload()
  }

  /// Reads the file again if another program has changed it.
  public func refresh() {
    // `write()` replaces the file and stores the new version under the same lock, so a change by
    // this program is never mistaken for a change by another program.
    guard state.withLock({ file.version != $0.version }) else { return }
    do throws(SharedError) { try reload() } catch { values.report(error) }
  }

  private func read() throws(SharedError) {
    try state.withLock { state throws(SharedError) in
      // The version is read before the content. If another program replaces the file between the
      // two, the stored version is the old one, so the next `refresh()` reads the file again.
      state.version = file.version
      state.file = try file.read()
    }
  }

  // MARK: - Loading and saving

  /// The value that is waiting to be written, otherwise the value in the file when it was last read
  /// or written; `nil` if neither exists.
  ///
  /// - Throws: ``SharedError/undecodable(key:path:reason:)`` if the value cannot be decoded as this
  ///   type.
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

  /// Writes the values that are waiting to be written. The store calls this function itself at the
  /// end of each publication that has set values. Call this function to try again after an error.
  ///
  /// - Throws: ``SharedError`` if the file cannot be read or written. The values then remain
  ///   unwritten.
  public func write() throws(SharedError) {
    let isOther = try state.withLock { state throws(SharedError) -> Bool in
      guard !state.unsaved.isEmpty else { return false }
      let (unsaved, known) = (state.unsaved, state.file.members)
      var found = known
      (state.file, state.version) = try file.update { object in
        found = object.members
        for (name, value) in unsaved { object[name] = value }
      }
      state.unsaved = [:]
      return found != known
    }
    // The file did not hold the members of the last read, so another program has changed it.
    if isOther { values.reload() }
  }
}
