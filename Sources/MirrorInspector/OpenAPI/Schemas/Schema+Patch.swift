// The patches of a rendered page. `ViewRoutes` responds with them.
//
// `DocumentPatch.json` and `DocumentPatch.Refusal.json` write what these schemas describe. The
// tests compare each response with its schema, so a member must be added in both places.

extension Schema {
  /// The response of `GET /views/{view}/page/patch`, which is the changes or a refusal with
  /// `whole`.
  static let pagePatch = anyOf([
    pageChanges,
    object([
      "epoch": epoch, "version": version,
      "whole": string.described("Why there is no patch: the page must load the whole document."),
    ]),
  ]).described("The changes of a rendered page between two versions.").named("PagePatch")

  /// The changes with which a page is patched, so that it need not load the whole document.
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
