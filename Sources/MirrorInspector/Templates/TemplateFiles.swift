internal import MicroHTTP
internal import MirrorSupport

/// The files of the app whose lines the inspector shows. The command `serve` makes one for
/// `--source`, and ``TemplateExcerpts`` and ``ViewPage`` read from it.
///
/// The paths come from annotations, the comments in which HEEx states the file and line of an
/// element. They are part of the mirrored page, which is not trusted. So a file is opened only if
/// its path is relative, has the ending of a template, and leads below the folder. Each name of the
/// path is opened relative to its parent folder, which is open already, and symbolic links are not
/// followed. Devices, pipes and files of more than 1 MiB are not read.
package final class TemplateFiles: Sendable {
  /// The absolute path of the folder.
  private let root: String
  private let cache = Guarded<[String: TemplateFile]>([:])

  static let maximumBytes = 1 << 20
  private static let maximumFiles = 16
  private static let endings = [".ex", ".heex"]

  /// - Parameter folder: the folder of the app, to which the files of annotations are relative.
  /// - Returns: `nil` if it is no folder, or cannot be read.
  package init?(folder: String) {
    guard let root = OpenFile.path(ofDirectory: folder) else { return nil }
    self.root = root
  }

  /// The file that an annotation names; `nil` if it must not or cannot be read.
  ///
  /// - Complexity: O(1) for a file that has not changed since it was last read, otherwise
  ///   O(*bytes*).
  func file(_ path: String) -> TemplateFile? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.count <= 4_096, Self.endings.contains(where: path.hasSuffix),
      !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") || $0.utf8.contains(0) }),
      var open = OpenFile(directory: root)
    else { return nil }
    for name in names {
      guard open.kind == .directory, let next = OpenFile(String(name), in: open) else { return nil }
      open = next
    }
    guard open.kind == .regular, open.size <= Self.maximumBytes else { return nil }
    if let known = cache.current[path], known.modified == open.modified, known.bytes.count == open.size { return known }
    guard let bytes = open.contents(), String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      return nil
    }
    let file = TemplateFile(bytes: bytes, modified: open.modified, isHEEx: path.hasSuffix(".heex"))
    cache.withLock { cache in
      if cache.count >= Self.maximumFiles { cache = [:] }
      cache[path] = file
    }
    return file
  }
}

/// The content of a template, or of a module with templates.
struct TemplateFile: Sendable {
  let bytes: [UInt8]
  /// In milliseconds since 1970.
  let modified: Int64
  /// Whether the whole file is one template.
  let isHEEx: Bool
  /// The place of the first byte of each line.
  private let starts: [Int]

  init(bytes: [UInt8], modified: Int64, isHEEx: Bool) {
    (self.bytes, self.modified, self.isHEEx) = (bytes, modified, isHEEx)
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// A line without its end; `nil` if the file does not have it.
  ///
  /// - Parameter number: from 1.
  func line(_ number: Int) -> ArraySlice<UInt8>? {
    guard number >= 1, number <= starts.count else { return nil }
    let end = number < starts.count ? starts[number] - 1 : bytes.endIndex
    return bytes[starts[number - 1]..<end]
  }

  /// The number of the line that has a byte.
  func lineNumber(of place: Int) -> Int { starts.partitioningIndex { $0 > place } }

  /// The line that an annotation names; `nil` if no annotation can name it, because it begins
  /// neither a template nor a tag.
  func annotated(_ number: Int) -> ArraySlice<UInt8>? {
    guard let line = line(number), isHEEx && number == 1 || line.contains(UInt8(ascii: "<")) || line.beginsTemplate
    else { return nil }
    return line
  }

  /// The template that has a line: the whole file, or a sigil `~H` with three quotes.
  ///
  /// - Complexity: O(*bytes of the file*).
  func template(around number: Int) -> HEExTemplate? {
    if isHEEx { return HEExParser.template(in: bytes, bytes.indices, line: 1, from: 1) }
    guard let start = (1...max(1, min(number, starts.count))).last(where: { line($0)?.beginsTemplate ?? false }),
      let end = (start + 1..<max(start + 1, starts.count + 1)).first(where: { line($0)?.endsTemplate ?? false }),
      number < end
    else { return nil }
    return HEExParser.template(in: bytes, starts[start]..<starts[end - 1], line: start + 1, from: start)
  }
}

extension ArraySlice<UInt8> {
  /// Whether `~H` with three quotes ends the line.
  fileprivate var beginsTemplate: Bool { trimmingBlanks.suffix(5).elementsEqual(#"~H""""#.utf8) }
  fileprivate var endsTemplate: Bool { trimmingBlanks.starts(with: #"""""#.utf8) }
}
