// The patches of a rendered page.

extension Schema {
  static let pagePatch = anyOf([
    pageChanges,
    object([
      "epoch": epoch, "version": version,
      "whole": string.described("Why there is no patch: the page must load the whole document."),
    ]),
  ]).described("The changes of a rendered page between two versions.").named("PagePatch")

  static let pageChanges = object([
    "epoch": epoch, "from": version, "version": version,
    "attributes": array(
      of: object(["node": node, "attributes": dictionary(of: string.orNull)]).described(
        "The attributes that changed, with their new values; `null` for an attribute that was removed.")),
    "removed": array(of: node).described("Elements to remove after all runs."),
    "runs": array(
      of: object([
        "parent": node, "after": node.orNull, "before": node.orNull,
        "content": array(
          of: object([:], optional: ["text": string, "markup": string, "node": node]).described(
            "A text, new markup (with the number of its element), or the number of an element to move here.")),
      ]).described(
        "The content that now lies between two children of `parent`; `null` is the start or the end of the parent.")),
  ]).named("PageChanges")
}
