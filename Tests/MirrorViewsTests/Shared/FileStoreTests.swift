import Foundation
import MirrorViews
import NodeObservation
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Shared values in a file.
@Suite struct FileStoreTests {
  struct Size: Codable, Equatable { var (width, height) = (1, 2) }

  /// A folder that is removed after the test.
  final class Folder {
    let path: String
    init() {
      path = NSTemporaryDirectory() + "file-store-" + UUID().uuidString
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/settings.json" }
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
    func write(_ text: String) { try? Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    func read(_ name: String = "settings.json") -> String {
      FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? "none"
    }
  }

  let folder = Folder()

  @Test func `a second store on the same file reads the values that the first one set`() {
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("size", default: Size(), in: store)) var size
    @Shared(SharedKey("na\"me", default: "", in: store)) var name
    #expect(folder.read() == "none")
    size.width = 5
    name = "ü\n\"}"
    let next = FileStore(path: folder.file)
    @Shared(SharedKey("size", default: Size(), in: next)) var again
    @Shared(SharedKey("na\"me", default: "", in: next)) var nameAgain
    #expect(again == Size(width: 5, height: 2))
    #expect(nameAgain == "ü\n\"}")
    #expect(store.lastError == nil && next.lastError == nil)
    #expect(folder.names == ["settings.json", "settings.json.lock"])
  }

  @Test func `unknown members of the file are kept as they are written`() {
    folder.write(#"{ "b" :{"x":[1.10, "}"]} ,"c": 12345678901234567890.5, "d":null,"e":[] }"#)
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("a", default: 0, in: store)) var a
    a = 1
    #expect(
      folder.read() == """
        {
          "a": 1,
          "b": {"x":[1.10, "}"]},
          "c": 12345678901234567890.5,
          "d": null,
          "e": []
        }

        """)
  }

  @Test func `many changes in one publication write the file once`() {
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("a", default: 0, in: store)) var a
    Publication.run {
      for value in 1...5 { a = value }
      #expect(folder.read() == "none")
    }
    #expect(folder.read() == "{\n  \"a\": 5\n}\n")
  }

  @Test func `a broken file is reported and renamed`() {
    let broken = #"{"a": 1, "b"#
    folder.write(broken)
    try? Data("older".utf8).write(to: URL(fileURLWithPath: folder.file + ".broken-1"))
    let store = FileStore(path: folder.file)
    guard case .broken(let path, let aside, _)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    #expect(path == folder.file)
    #expect(aside == folder.file + ".broken-2")
    #expect("\(SharedError.broken(path: path, aside: aside, reason: "x"))".contains(folder.file))
    @Shared(SharedKey("a", default: 7, in: store)) var a
    #expect(a == 7)
    #expect(folder.read() == broken)
    a = 8
    #expect(folder.read() == "{\n  \"a\": 8\n}\n")
    #expect(folder.read("settings.json.broken-2") == broken)
    #expect(folder.read("settings.json.broken-1") == "older")
  }

  @Test func `a file without a JSON object is broken`() {
    for text in ["[1]", "", "7", #"{"a":1} x"#] {
      folder.write(text)
      guard case .broken? = FileStore(path: folder.file).lastError else {
        Issue.record("the text was accepted: \(text)")
        continue
      }
      #expect(folder.read() == text)
    }
  }

  @Test func `a value of the wrong type is reported and stays in the file until the key is set`() {
    folder.write(#"{"a":"text","b":1}"#)
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("a", default: 7, in: store)) var a
    #expect(a == 7)
    guard case .undecodable("a", folder.file, _)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    @Shared(SharedKey("b", default: 0, in: store)) var b
    b = 2
    #expect(folder.read().contains(#""a": "text""#))
    a = 8
    #expect(folder.read().contains(#""a": 8"#))
  }

  @Test func `changes of another program are visible at the next read`() throws {
    let (own, other) = (FileStore(path: folder.file), FileStore(path: folder.file))
    @Shared(SharedKey("a", default: 0, in: own)) var a
    @Shared(SharedKey("b", default: 0, in: own)) var b
    @Shared(SharedKey("a", default: 0, in: other)) var theirs
    let heard = Heard()
    let cancellable = $a.publisher.sink { heard.note("\($0)") }
    theirs = 5
    #expect(a == 5)
    #expect(heard.all == ["0", "5"])
    theirs = 6
    // A change begins with the value of the other program.
    a += 1
    #expect((a, theirs) == (7, 7))
    theirs = 5
    // Setting one value does not remove the values of the other program.
    b = 1
    try own.reload()
    #expect((a, b) == (5, 1))
    #expect(heard.all == ["0", "5", "6", "7", "5"])
    try own.reload()
    #expect(heard.all.count == 5)
    folder.write("broken")
    #expect(throws: SharedError.self) { try own.reload() }
    #expect(a == 5)
    cancellable.cancel()
  }

  @Test func `two threads that set values of one file lose none`() {
    let store = FileStore(path: folder.file)
    let values = (0..<2).map { Shared(SharedKey("\($0)", default: 0, in: store)) }
    let others = values.map { value in OtherThread { for _ in 0..<300 { value.withLock { $0 += 1 } } } }
    others.forEach { $0.join() }
    let file = FileStore(path: folder.file)
    for (number, value) in values.enumerated() {
      #expect(value.wrappedValue == 300)
      #expect(Shared(SharedKey("\(number)", default: 0, in: file)).wrappedValue == 300)
    }
  }

  @Test func `a failed write is reported and the value is kept in memory`() {
    let store = FileStore(path: folder.path + "/missing/settings.json")
    @Shared(SharedKey("a", default: 0, in: store)) var a
    a = 1
    #expect(a == 1)
    guard case .unwritable(folder.path + "/missing/settings.json", _)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    try? FileManager.default.createDirectory(atPath: folder.path + "/missing", withIntermediateDirectories: true)
    #expect(throws: Never.self) { try store.write() }
    #expect(folder.read("missing/settings.json") == "{\n  \"a\": 1\n}\n")
  }

  @Test func `a crash while writing leaves the file unchanged`() {
    folder.write(#"{"a":1}"#)
    try? Data("half a fi".utf8).write(to: URL(fileURLWithPath: folder.file + ".new"))
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("a", default: 0, in: store)) var a
    #expect(a == 1)
    a = 2
    #expect(folder.names == ["settings.json", "settings.json.lock"])
    #expect(folder.read() == "{\n  \"a\": 2\n}\n")
  }

  @Test(arguments: [0o600, 0o640, 0o666]) func `the file keeps its permissions`(mode: Int) throws {
    folder.write("{}")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file)
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("secret", default: 0, in: store)) var secret
    secret = 1
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    #expect(folder.read() == "{\n  \"secret\": 1\n}\n")
  }

  @Test func `a symbolic link with the name of the new file is not followed`() throws {
    folder.write("{}")
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder.path + "/other"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file + ".new", withDestinationPath: folder.path + "/other")
    let store = FileStore(path: folder.file)
    @Shared(SharedKey("a", default: 0, in: store)) var a
    a = 1
    #expect(folder.read("other") == "theirs")
    #expect(folder.read() == "{\n  \"a\": 1\n}\n")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .isoLatin1])
  func `a file that is not UTF-8 is broken and keeps its content`(encoding: String.Encoding) throws {
    let bytes = try #require(#"{"a":1,"bä":2}"#.data(using: encoding))
    try bytes.write(to: URL(fileURLWithPath: folder.file))
    let store = FileStore(path: folder.file)
    guard case .broken(_, let aside, let reason)? = store.lastError else {
      Issue.record("the store has the error \(String(describing: store.lastError))")
      return
    }
    #expect(reason == "it is not UTF-8")
    @Shared(SharedKey("c", default: 0, in: store)) var c
    c = 3
    #expect(FileManager.default.contents(atPath: aside) == bytes)
  }
}
