internal import CYAML

/// A value of a YAML file, with its place. The text of a scalar is not converted to a number or
/// another type, because ``BudgetReader`` and ``ScenarioReader`` know which type each value must
/// have.
///
/// Sequences and mappings are nested at most 64 deep. Those that an alias inserts count too.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    case scalar(String, isQuoted: Bool)
    case sequence([YAMLNode])
    case mapping([Member])
  }

  typealias Member = (key: YAMLNode, value: YAMLNode)

  var content: Content
  var mark: YAMLMark
  /// The number of levels of sequences and mappings, this one included; 0 for a scalar.
  fileprivate var height = 0

  /// The text of a node that is a key; empty for a sequence or a mapping.
  var name: String { text ?? "" }
  var text: String? { if case .scalar(let text, _) = content { text } else { nil } }
  var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
  var mapping: [Member]? { if case .mapping(let members) = content { members } else { nil } }

  /// Whether the file has no value: nothing but comments.
  fileprivate var isMissing: Bool {
    if case .scalar("", isQuoted: false) = content { true } else { false }
  }
}

/// A place in a YAML file.
struct YAMLMark: Sendable {
  /// From 1.
  var line = 1
  /// From 1, in Unicode scalars.
  var column = 1

  init() {}

  fileprivate init(_ mark: yaml_mark_t) { (line, column) = (mark.line + 1, mark.column + 1) }
}

extension YAMLNode {
  /// The maximum length of a file in bytes. No real budget or scenario is so long.
  static let longest = 1 << 20

  /// The value of the only document of a file.
  ///
  /// - Parameter expectation: what the file must contain, for messages.
  init(of bytes: [UInt8], name: String, expecting expectation: String) throws(YAMLProblems) {
    func failure(_ text: String) -> YAMLProblems {
      YAMLProblems(name: name, problems: [YAMLProblem(YAMLMark(), "\(text): it must contain \(expectation)")])
    }
    guard bytes.count <= Self.longest else { throw failure("the file is longer than 1 MiB") }
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw failure("the file is not a text in UTF-8")
    }
    let root: YAMLNode?
    do { root = try YAMLParser.root(of: bytes) } catch { throw YAMLProblems(name: name, problems: error.problems) }
    guard let root, !root.isMissing else { throw failure("the file is empty") }
    self = root
  }
}

/// Composes the events of libyaml into a value.
private struct YAMLParser: ~Copyable {
  struct Failure: Error {
    var problems: [YAMLProblem]
  }

  static let deepest = 64
  /// The maximum number of duplicate keys that are reported.
  private static let listedKeys = 20

  /// Heap-allocated, because libyaml's parser contains pointers into itself.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let input: UnsafeMutableBufferPointer<UInt8>
  private var anchors: [String: YAMLNode] = [:]
  private var repeatedKeys: [YAMLProblem] = []

  /// - Returns: `nil` for a file without a document.
  static func root(of bytes: [UInt8]) throws(Failure) -> YAMLNode? {
    var parser = YAMLParser(bytes)
    return try parser.root()
  }

  private init(_ bytes: [UInt8]) {
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  private mutating func root() throws(Failure) -> YAMLNode? {
    var root: YAMLNode?
    while true {
      let next = try event { ($0.type, YAMLMark($0.start_mark)) }
      switch next.0 {
      case YAML_DOCUMENT_START_EVENT:
        if root != nil { throw failure("a second document begins here", at: next.1) }
        root = try node()
      case YAML_STREAM_END_EVENT:
        let more = repeatedKeys.count - Self.listedKeys
        if more > 0 {
          let mark = repeatedKeys[Self.listedKeys]
          repeatedKeys[Self.listedKeys...] = [
            YAMLProblem(line: mark.line, column: mark.column, text: "\(more) other keys are there twice")
          ]
        }
        if !repeatedKeys.isEmpty { throw Failure(problems: repeatedKeys) }
        return root
      default: continue
      }
    }
  }

  /// Parses the next event and returns the result of `body`. The event is freed afterwards.
  private func event<Part>(_ body: (yaml_event_t) -> Part) throws(Failure) -> Part {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    return body(event)
  }

  private enum Beginning {
    case scalar(String, isQuoted: Bool)
    case alias(String)
    case sequence, mapping, end
  }

  /// The next value.
  ///
  /// - Returns: `nil` at the end of a sequence or a mapping.
  private mutating func node(depth: Int = 0) throws(Failure) -> YAMLNode? {
    let (beginning, anchor, mark) = try event { event in
      let mark = YAMLMark(event.start_mark)
      switch event.type {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let isQuoted = scalar.style != YAML_PLAIN_SCALAR_STYLE
        return (Beginning.scalar(text, isQuoted: isQuoted), Self.text(scalar.anchor), mark)
      case YAML_SEQUENCE_START_EVENT: return (.sequence, Self.text(event.data.sequence_start.anchor), mark)
      case YAML_MAPPING_START_EVENT: return (.mapping, Self.text(event.data.mapping_start.anchor), mark)
      case YAML_ALIAS_EVENT: return (.alias(Self.text(event.data.alias.anchor) ?? ""), nil, mark)
      default: return (.end, nil, mark)
      }
    }
    guard depth <= Self.deepest else { throw tooDeep(at: mark) }
    let content: YAMLNode.Content
    switch beginning {
    case .end: return nil
    case .scalar(let text, let isQuoted): content = .scalar(text, isQuoted: isQuoted)
    case .alias(let name):
      guard let node = anchors[name] else { throw failure("nothing has the anchor &\(name)", at: mark) }
      guard depth + node.height <= Self.deepest else { throw tooDeep(at: mark) }
      return YAMLNode(content: node.content, mark: mark, height: node.height)
    case .sequence:
      var nodes: [YAMLNode] = []
      while let node = try node(depth: depth + 1) { nodes.append(node) }
      content = .sequence(nodes)
    case .mapping: content = .mapping(try members(depth: depth + 1))
    }
    let height =
      switch content {
      case .scalar: 0
      case .sequence(let nodes): 1 + (nodes.map(\.height).max() ?? 0)
      case .mapping(let members): 1 + (members.map { max($0.key.height, $0.value.height) }.max() ?? 0)
      }
    let node = YAMLNode(content: content, mark: mark, height: height)
    if let anchor { anchors[anchor] = node }
    return node
  }

  private mutating func members(depth: Int) throws(Failure) -> [YAMLNode.Member] {
    var (members, lines): ([YAMLNode.Member], [String: Int]) = ([], [:])
    while let key = try node(depth: depth), let value = try node(depth: depth) {
      members.append((key, value))
      guard let text = key.text else { continue }
      if let line = lines[text] {
        repeatedKeys.append(
          YAMLProblem(key.mark, "“\(text)” is a key twice; it is already in line \(line): remove one of both"))
      } else {
        lines[text] = key.mark.line
      }
    }
    return members
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(decodingCString: $0, as: UTF8.self) }
  }

  /// The failure of libyaml.
  private func failure() -> Failure {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    guard parser.pointee.error == YAML_READER_ERROR else {
      let advice = input.contains(UInt8(ascii: "\t")) ? "; indent with spaces, not with tabs" : ""
      return failure(problem + advice, at: YAMLMark(parser.pointee.problem_mark))
    }
    var mark = YAMLMark()
    mark.line += input.prefix(parser.pointee.problem_offset).count { $0 == UInt8(ascii: "\n") }
    return failure(problem, at: mark)
  }

  private func tooDeep(at mark: YAMLMark) -> Failure {
    failure("values are nested more than \(Self.deepest) deep", at: mark)
  }

  private func failure(_ text: String, at mark: YAMLMark) -> Failure {
    Failure(problems: [YAMLProblem(mark, "the file is not YAML: \(text)")])
  }
}
