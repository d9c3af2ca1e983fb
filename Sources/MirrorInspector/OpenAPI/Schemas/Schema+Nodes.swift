// Nodes and their subscribers.

extension Schema {
  private static let source = object(["file": string, "line": count], optional: ["function": string]).described(
    "The line of the template, from HEEx's debug annotations.")

  static let nodeSummary = object(
    [
      "node": named(.node), "kind": oneOf(["root", "element", "text", "comment", "processing-instruction"]),
      "subscribers": count,
    ],
    optional: [
      "tag": string, "attributes": dictionary(of: string), "text": string,
      "target": string.described("The target of a processing instruction."),
      "component": integer().described("The component that the node is in."), "source": source,
      "shown": named(.node).described("Of a portal's template: the element at its target."),
      "portal": named(.node).described("Of an element that a portal shows: the template."),
    ]
  ).described("A node without its children.")

  static let treeNode = allOf([
    named(.nodeSummary),
    object(
      ["children": array(of: named(.treeNode))],
      optional: ["more": count.described("The number of children that were cut off.")]),
  ])

  static let nodes = object([
    "view": named(.viewID), "epoch": epoch, "version": named(.version),
    "nodes": array(of: named(.nodeSummary), longest: NodeRoutes.mostNodes),
    "total": count.described("The number of elements that the selector matches."),
  ]).described("Elements of a document, in document order.")

  static let tree = object([
    "view": named(.viewID), "epoch": epoch, "version": named(.version), "root": named(.treeNode),
  ])

  static let nodeDetails = object(
    [
      "node": named(.node),
      "kind": oneOf(["root", "element", "text", "comment", "processing-instruction", "gone"]),
      "subscribers": count, "view": named(.viewID), "epoch": epoch, "version": named(.version),
      "live": boolean.described("Whether the document has the node."),
      "path": array(of: object(["node": named(.node), "tag": string.orNull])),
      "children": array(of: named(.node)), "observers": count, "clients": count, "subscriptions": count,
      "summary": string.described(
        "The subscribers in words: NativeText, NativePicker through its children, 2 event clients."),
      "observed_by": array(
        of: object([
          "view": string.described("The type of the view."), "node": named(.node).described("The element of the view."),
          "through": oneOf(["element", "children"]).described(
            "Whether the view reads this element, or is notified as that of the parent, which observes its children."),
          "inner": boolean.described("Whether it is inside the view of its element, and one subscriber with it."),
          "properties": array(
            of: string.described("A property that reads the element, as @Attribute(\"selection\")."), longest: 100),
        ]), longest: 1_000
      ).described("The views that are notified of changes of the node; empty for an ended epoch."),
      "biography": array(
        of: object([
          "version": named(.version), "did": oneOf(["text", "attributes", "add", "remove", "move"]),
        ])
      ).described("The versions that created, changed, moved or removed the node."),
      "text_changes": object([
        "count": count, "last_version": named(.version).orNull,
        "recent": array(
          of: object(["version": named(.version), "node": named(.node), "before": string, "after": string]), longest: 10
        ),
      ]).described("The changes of the texts and comments that are its children."),
      "children_changes": object([
        "count": count, "added": count, "removed": count, "moved": count, "last_version": named(.version).orNull,
        "recent": array(
          of: object(
            [
              "version": named(.version), "did": oneOf(["add", "remove", "move"]), "node": named(.node),
              "kind": oneOf(["element", "text", "comment", "processing-instruction"]),
            ], optional: ["tag": string]), longest: 10),
      ]).described("Its children that were added, removed or moved after it was added."),
      "first_version": named(.version).described("The oldest version that the history can name."),
    ],
    optional: [
      "tag": string, "attributes": dictionary(of: string), "text": string, "target": string, "component": integer(),
      "source": source, "shown": named(.node), "portal": named(.node),
    ])

  // MARK: - Subscribers

  static let subscribers = object([
    "total": count.described("The sum over all nodes."), "observers": count, "clients": count, "subscriptions": count,
    "nodes": array(of: named(.nodeSubscribers)),
  ])

  static let nodeSubscribers = object([
    "node": named(.node), "subscribers": count, "observers": count, "clients": count, "subscriptions": count,
  ])

  static let newSubscription = object(
    ["node": named(.node)],
    optional: [
      "children": boolean.orNull.described("Whether to subscribe to the children that are elements too."),
      "label": string(longest: SubscriptionRoutes.longestLabel).orNull,
    ], isClosed: true)

  static let subscription = object([
    "id": integer(from: 1), "view": named(.viewID), "epoch": epoch, "node": named(.node), "children": boolean,
    "label": string.orNull, "created_at": time, "nodes": count, "not_followed": count,
    "notified": count.described("The number of signals."),
    "last_version": named(.version).orNull.described("The version of the last signal."),
  ])

  static let subscriptions = object(["subscriptions": array(of: named(.subscription))])
}
