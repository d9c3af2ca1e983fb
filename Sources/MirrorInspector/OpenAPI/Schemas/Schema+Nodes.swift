// Nodes and their subscribers. `NodeRoutes`, `ViewRoutes` and `SubscriptionRoutes` respond with
// them. `TreeJSON`, `ViewState+JSON.swift` and `SubscriptionRoutes` write what these schemas
// describe. The tests compare responses with these schemas, so a member must be added in both
// places.

extension Schema {
  private static let source = object(["file": string, "line": count], optional: ["function": string]).described(
    "The line of the template, from HEEx's debug annotations.")

  static let nodeSummary = object(
    [
      "node": node, "kind": oneOf(["root", "element", "text", "comment", "processing-instruction"]),
      "subscribers": count,
    ],
    optional: [
      "tag": string, "attributes": dictionary(of: string), "text": string,
      "target": string.described("The target of a processing instruction."),
      "component": integer().described("The component that the node is in."), "source": source,
      "shown": node.described("Of a portal's template: the element at its target."),
      "portal": node.described("Of an element that a portal shows: the template."),
    ]
  ).described("A node without its children.").named("NodeSummary")

  static let treeNode = allOf([
    nodeSummary,
    object(
      ["children": array(of: reference(to: "TreeNode"))],
      optional: ["more": count.described("The number of children that were cut off.")]),
  ]).named("TreeNode")

  static let nodes = object([
    "view": viewID, "epoch": epoch, "version": version,
    "nodes": array(of: nodeSummary, longest: NodeRoutes.mostNodes),
    "total": count.described("The number of elements that the selector matches."),
  ]).described("Elements of a document, in document order.").named("Nodes")

  static let tree = object(["view": viewID, "epoch": epoch, "version": version, "root": treeNode]).named("Tree")

  static let nodeDetails = object(
    [
      "node": node,
      "kind": oneOf(["root", "element", "text", "comment", "processing-instruction", "gone"]),
      "subscribers": count, "view": viewID, "epoch": epoch, "version": version,
      "live": boolean.described("Whether the document has the node."),
      "path": array(of: object(["node": node, "tag": string.orNull])),
      "children": array(of: node), "observers": count, "clients": count, "subscriptions": count,
      "summary": string.described(
        "The subscribers in words: NativeText, NativePicker through its children, 2 event clients."),
      "observed_by": array(
        of: object([
          "view": string.described("The type of the view."), "node": node.described("The element of the view."),
          "through": oneOf(["element", "children"]).described(
            "Whether the view reads this element, or is notified as that of the parent, which observes its children."),
          "inner": boolean.described("Whether it is inside the view of its element, and one subscriber with it."),
          "properties": array(
            of: string.described("A property that reads the element, as @Attribute(\"selection\")."), longest: 100),
        ]), longest: 1_000
      ).described("The views that are notified of changes of the node; empty for an ended epoch."),
      "biography": array(
        of: object(["version": version, "did": oneOf(["text", "attributes", "add", "remove", "move"])])
      ).described("The versions that created, changed, moved or removed the node."),
      "text_changes": object([
        "count": count, "last_version": version.orNull,
        "recent": array(
          of: object(["version": version, "node": node, "before": string, "after": string]), longest: 10),
      ]).described("The changes of the texts and comments that are its children."),
      "children_changes": object([
        "count": count, "added": count, "removed": count, "moved": count, "last_version": version.orNull,
        "recent": array(
          of: object(
            [
              "version": version, "did": oneOf(["add", "remove", "move"]), "node": node,
              "kind": oneOf(["element", "text", "comment", "processing-instruction"]),
            ], optional: ["tag": string]), longest: 10),
      ]).described("Its children that were added, removed or moved after it was added."),
      "first_version": version.described("The oldest version that the history can name."),
    ],
    optional: [
      "tag": string, "attributes": dictionary(of: string), "text": string, "target": string, "component": integer(),
      "source": source, "shown": node, "portal": node,
    ]
  ).named("NodeDetails")

  // MARK: - Subscribers

  static let subscribers = object([
    "total": count.described("The sum over all nodes."), "observers": count, "clients": count, "subscriptions": count,
    "nodes": array(of: nodeSubscribers),
  ]).named("Subscribers")

  static let nodeSubscribers = object([
    "node": node, "subscribers": count, "observers": count, "clients": count, "subscriptions": count,
  ]).named("NodeSubscribers")

  static let newSubscription = object(
    ["node": node],
    optional: [
      "children": boolean.orNull.described("Whether to subscribe to the children that are elements too."),
      "label": string(longest: SubscriptionRoutes.longestLabel).orNull,
    ], isClosed: true
  ).named("NewSubscription")

  static let subscription = object([
    "id": integer(from: 1), "view": viewID, "epoch": epoch, "node": node, "children": boolean,
    "label": string.orNull, "created_at": time, "nodes": count, "not_followed": count,
    "notified": count.described("The number of signals."),
    "last_version": version.orNull.described("The version of the last signal."),
  ]).named("Subscription")

  static let subscriptions = object(["subscriptions": array(of: subscription)]).named("Subscriptions")
}
