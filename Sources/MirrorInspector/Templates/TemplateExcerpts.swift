internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis
internal import RenderedTree

/// The lines of the app's templates that a page shows beside the changes of one diff: each once,
/// and only a few. ``ViewPage`` makes one for each diff that it shows.
///
/// If ``HEExTemplate`` finds the expression that wrote a slot, its line is shown and the expression
/// is marked. Otherwise the line that the annotation names is shown, unless the file was changed
/// after the diff, because then that line may be another one.
struct TemplateExcerpts {
  /// The line of each slot: the line of its expression, if the expression was found.
  private(set) var sources: [String: TemplateSource]
  private var excerpts: [SourceLocation: (file: TemplateFile, marks: [Range<Int>])] = [:]

  /// The maximum number of shown lines.
  static let maximumCount = 6
  /// The maximum number of templates that are divided into texts and expressions.
  static let maximumTemplates = 32

  /// - Parameters:
  ///   - slots: the slots of a record, in the order of its changes.
  ///   - sources: the lines of the slots.
  ///   - rendered: the tree after the diff.
  ///   - at: the time of the diff, in milliseconds since 1970.
  ///   - files: the files of the app; `nil` shows no lines.
  init(
    of slots: [String], from sources: [String: TemplateSource], in rendered: @autoclosure () -> Rendered?,
    at: Int64, files: TemplateFiles?
  ) {
    self.sources = sources
    guard let files, let rendered = rendered() else { return }
    /// The results of searches for expressions, including failed ones, so that all entries of a
    /// list need only one search.
    var known: [SlotTemplates: Range<Int>?] = [:]
    var templates: [SourceLocation: HEExTemplate?] = [:]
    /// The files as they are now, or `nil` if not readable, so that each is opened once.
    var opened: [String: TemplateFile?] = [:]
    func open(_ path: String) -> TemplateFile? {
      if let known = opened[path] { return known }
      let file = files.file(path)
      opened[path] = .some(file)
      return file
    }
    for slot in slots {
      guard let location = sources[slot]?.location else { continue }
      if let path = rendered.templates(ofSlot: slot), let file = open(path.location.file) {
        if known[path] == nil {
          if templates[path.location] == nil, templates.count < Self.maximumTemplates {
            templates[path.location] = .some(file.template(around: path.location.line))
          }
          known[path] = .some(templates[path.location]?.flatMap { $0.code(of: path) })
        }
        if let code = known[path] ?? nil {
          let exact = SourceLocation(file: path.location.file, line: file.lineNumber(of: code.lowerBound))
          self.sources[slot]?.location = exact
          add(exact, in: file, code)
          continue
        }
      }
      if let file = open(location.file), file.modified <= at, file.annotated(location.line) != nil {
        add(location, in: file)
      }
    }
  }

  private mutating func add(_ location: SourceLocation, in file: TemplateFile, _ mark: Range<Int>? = nil) {
    if excerpts[location] == nil, excerpts.count >= Self.maximumCount { return }
    let marks = excerpts[location]?.marks ?? []
    excerpts[location] = (file, mark.map { marks.contains($0) ? marks : marks + [$0] } ?? marks)
  }

  /// Returns the lines of some slots, and removes these lines, so that each is shown once.
  mutating func take(_ slots: [String]) -> [HTML] {
    slots.compactMap { slot in
      guard let location = sources[slot]?.location, let excerpt = excerpts.removeValue(forKey: location) else {
        return nil
      }
      return excerpt.file.excerpt(location.line, marking: excerpt.marks)
    }
  }
}

extension TemplateFile {
  private static let shownBytes = 200

  /// A line of code without its indentation, with marked expressions.
  ///
  /// - Parameter marks: parts of the file. What is not in the shown part of the line is not marked.
  func excerpt(_ number: Int, marking marks: [Range<Int>] = []) -> HTML? {
    guard let line = line(number)?.trimmingBlanks, !line.isEmpty else { return nil }
    let marks = marks.sorted { $0.lowerBound < $1.lowerBound }
    var start = line.startIndex
    // If the first mark is far to the right, the excerpt begins shortly before it. Otherwise the
    // mark could be behind the end of the excerpt.
    if let first = marks.first, first.lowerBound > start + Self.shownBytes * 3 / 4 { start = first.lowerBound - 40 }
    start = characterStart(start, in: line)
    let end = characterStart(min(line.endIndex, start + Self.shownBytes), in: line)
    var (parts, place) = ([HTML](), start)
    for mark in marks {
      let part = max(mark.lowerBound, place)..<max(mark.lowerBound, place, min(mark.upperBound, end))
      if part.isEmpty || part.lowerBound >= end { continue }
      parts.append("\(text(place..<part.lowerBound))<mark>\(text(part))</mark>")
      place = part.upperBound
    }
    return """
      <code class="template"><span class="unseen">Template line \(number): </span>\(start > line.startIndex ? "…" as HTML : nil)\
      \(parts)\(text(place..<end))\(end < line.endIndex ? "…" as HTML : nil)</code>

      """
  }

  /// The first place, from `place` on, at which a character begins.
  private func characterStart(_ place: Int, in line: ArraySlice<UInt8>) -> Int {
    (place..<line.endIndex).first { bytes[$0] & 0xC0 != 0x80 } ?? line.endIndex
  }

  private func text(_ range: Range<Int>) -> HTML { "\(String(decoding: bytes[range], as: UTF8.self))" }
}

extension ViewPage {
  /// The lines of the templates beside the changes of a record.
  func excerpts(of slots: [String], in record: ChangeRecord) -> TemplateExcerpts {
    TemplateExcerpts(
      of: slots, from: view.templateSources(of: slots), in: view.rendered(at: record.version), at: record.at,
      files: templates)
  }

  /// The line of the template that an annotation names; `nil` if the file was changed after the
  /// shown version.
  func excerpt(at location: SourceLocation) -> HTML? {
    guard let file = templates?.file(location.file), let at = view.log.record(of: version)?.at, file.modified <= at,
      file.annotated(location.line) != nil
    else { return nil }
    return file.excerpt(location.line)
  }
}
