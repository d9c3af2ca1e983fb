package import MarkupDocument
internal import MirrorSupport

/// Makes links that open a line of the app's code in the user's editor. ``ViewPage`` and
/// ``TotalsTable`` show them.
///
/// ```swift
/// Editor("zed", appRoot: "/home/ada/shop")?.link(to: SourceLocation(file: "lib/live/cart.ex", line: 12))
/// // zed://file/home/ada/shop/lib/live/cart.ex:12
/// ```
package struct Editor: Sendable, Hashable {
  /// The address of a line. It contains the placeholder `__FILE__` or `__RELATIVEFILE__`, and may
  /// contain `__LINE__`.
  package let pattern: String
  /// The folder to which the files of annotations are relative: the app. Without a slash at the
  /// end.
  package let appRoot: String?

  /// The editors that have a name, with their patterns. `__FILE__` stands for an absolute path,
  /// which begins with a slash.
  package static let named: KeyValuePairs<String, String> = [
    "vscode": "vscode://file__FILE__:__LINE__",
    "vscodium": "vscodium://file__FILE__:__LINE__",
    "cursor": "cursor://file__FILE__:__LINE__",
    "windsurf": "windsurf://file__FILE__:__LINE__",
    "zed": "zed://file__FILE__:__LINE__",
    "idea": "idea://open?file=__FILE__&line=__LINE__",
    "rubymine": "x-mine://open?file=__FILE__&line=__LINE__",
    "sublime": "subl://open?url=file://__FILE__&line=__LINE__",
    "textmate": "txmt://open?url=file://__FILE__&line=__LINE__",
    "macvim": "mvim://open?url=file://__FILE__&line=__LINE__",
    "emacs": "emacs://open?url=file://__FILE__&line=__LINE__",
  ]

  /// - Parameters:
  ///   - text: the name of an editor, or a pattern. A pattern is an absolute address with
  ///     `__FILE__`, `{file}` or `__RELATIVEFILE__`, and may contain `__LINE__` or `{line}`.
  ///     `PLUG_EDITOR` of Phoenix has this form.
  ///   - appRoot: the absolute path of the app's folder. Without it, there is no link for a
  ///     relative file, except with `__RELATIVEFILE__`.
  /// - Returns: `nil` if the text is neither a name nor a pattern, or if its scheme could run a
  ///   script.
  package init?(_ text: String, appRoot: String? = nil) {
    let named = Self.named.first { $0.key == text.lowercased() }?.value
    let pattern = (named ?? text).replacing("{file}", with: Self.file).replacing("{line}", with: Self.line)
    guard Self.isAllowed(pattern) else { return nil }
    self.pattern = pattern
    var root = appRoot
    while let path = root, path.utf8.count > 1, path.hasSuffix("/") { root = String(path.dropLast()) }
    self.appRoot = root == "/" ? "" : root
  }

  private static let (file, line, relativeFile) = ("__FILE__", "__LINE__", "__RELATIVEFILE__")
  private static let scripts: Set = ["javascript", "data", "vbscript", "blob", "about", "view-source", "filesystem"]

  private static func isAllowed(_ pattern: String) -> Bool {
    guard pattern.utf8.count <= 2_048, pattern.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let colon = pattern.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let scheme = pattern[..<colon].lowercased()
    let isScheme =
      scheme.utf8.first?.isASCIILetter == true
      && scheme.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
    let rest = pattern[colon...]
    let hasFile = rest.firstRange(of: file) != nil || rest.firstRange(of: relativeFile) != nil
    return isScheme && !scripts.contains(scheme) && hasFile
  }

  /// The address that opens a line, percent-encoded.
  ///
  /// - Returns: `nil` for a relative file without an ``appRoot``, for an absolute file if the
  ///   pattern has `__RELATIVEFILE__`, and for a path such as `../x.ex` or `//host/x.ex`. Such
  ///   paths are refused because the location comes from the mirrored page, which is untrusted.
  package func link(to location: SourceLocation) -> String? {
    let file = location.file
    guard !file.isEmpty, !file.hasPrefix("//"),
      !file.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
      !file.split(separator: "/").contains("..")
    else { return nil }
    var link = pattern.replacing(Self.line, with: String(location.line))
    if link.firstRange(of: Self.relativeFile) != nil {
      if file.hasPrefix("/") { return nil }
      link = link.replacing(Self.relativeFile, with: Self.encoded(file))
    }
    guard link.firstRange(of: Self.file) != nil else { return link }
    let path = file.hasPrefix("/") ? file : appRoot.map { "\($0)/\(file)" }
    return path.map { link.replacing(Self.file, with: Self.encoded($0)) }
  }

  /// Percent-encodes all but unreserved characters (RFC 3986) and slashes.
  private static func encoded(_ path: String) -> String { path.percentEncoded(except: "-._~/") }
}
