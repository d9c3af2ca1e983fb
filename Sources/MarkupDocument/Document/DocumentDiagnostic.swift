/// A note about a problem that does not prevent an update, such as an id that two elements share. A
/// `ChangeRecord` lists the diagnostics of its update.
public struct DocumentDiagnostic: Sendable, Hashable {
  /// A stable identifier of the kind, such as `duplicate-id`.
  public var code: String
  /// The node concerned, if the diagnostic is about one.
  public var node: NodeRef?
  /// What is wrong, as a sentence.
  public var message: String
  /// What distinguishes the cause from others with the same ``code``, such as the id that is used
  /// twice. Diagnostics of two updates with the same code and subject have the same cause.
  public var subject: String
  /// The nodes concerned, with their paths at the time of the diagnostic.
  public var locatedNodes: [LocatedNode]

  /// A node and its path in one version of a document.
  public struct LocatedNode: Sendable, Hashable {
    /// The node.
    public var node: NodeRef
    /// The path as a selector, such as `div#page > ul > li:nth-child(2)`.
    public var path: String

    /// A node at a path.
    public init(node: NodeRef, path: String) {
      self.node = node
      self.path = path
    }
  }

  /// A diagnostic about `node`.
  ///
  /// - Parameters:
  ///   - code: the kind of the diagnostic.
  ///   - node: the node; `nil` if it concerns the document.
  ///   - message: what is wrong.
  ///   - subject: the message by default.
  ///   - locatedNodes: all nodes that it concerns, with their paths.
  public init(code: String, node: NodeRef?, message: String, subject: String? = nil, locatedNodes: [LocatedNode] = []) {
    self.code = code
    self.node = node
    self.message = message
    self.subject = subject ?? message
    self.locatedNodes = locatedNodes
  }
}
