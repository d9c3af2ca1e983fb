internal import LiveViewMirror

// Codes about the view as a whole and about its diffs. `DiagnosticCode.groups` contains these
// codes.

extension DiagnosticCode {
  static let updates: [DiagnosticCode] = [
    DiagnosticCode(
      "duplicate-id", .duplicate, "An id is on more than one element",
      """
      LiveView's client and the mirror find elements by their id, and only the first one with a shared id. \
      A patch can update the wrong element, and hooks, form fields, streams and components can lose their \
      state.
      """,
      example: #"`<p id="song">a</p><p id="song">b</p>`"#,
      remedy:
        """
        Make the id unique, as in `id={"song-#{@song.id}"}`. In a component that is used more than once, \
        derive ids from the id of the component.
        """),
    DiagnosticCode(
      "rejected-diff", .event, "An input did not fit and was not applied",
      """
      The JSON does not fit the tree of the view, which stays unchanged. The finding has the place and the \
      reason, the log has the input. From then on the mirror may differ from the browser.
      """,
      example: #"the diff `{"9":"1"}` for a template without slot 9"#,
      remedy:
        """
        Check that the feed delivers every frame in order, from the join on. Reload the page, or mount the \
        view with `POST /views/{view}/rendered`. If the browser accepts the diff, report a bug of the \
        mirror.
        """),
    DiagnosticCode(
      "client-throws", .event, "LiveView's client stops this update with an error",
      """
      The browser keeps what was patched before the error, and loses the rest until the page is loaded \
      again. The mirror does the same. The finding has the reason and the versions of the client.
      """,
      example: "a field with the name `id` hides the property of its form",
      remedy: "Remove the reason from the template, or use a version of LiveView that does not throw."),
    DiagnosticCode(
      "version-skew", .event, "Client and server are different minor versions of LiveView",
      "They speak different protocols. The mirror follows the rules of the client.",
      example: "a client of 1.2.8 stops when a server of 1.1 moves an entry of a list",
      remedy:
        """
        Load the client from the server's package, as `import {LiveSocket} from "phoenix_live_view"` does, \
        build the assets, and reload open pages.
        """),
    DiagnosticCode(
      "unknown-stream-child", .event, "A stream names an item that the page does not have",
      """
      The diff deletes an item or updates one with `update_only: true`, and no element has its DOM id. \
      LiveView's client ignores this without a message.
      """,
      example: "the server deletes `songs-7`, and the template has `id={@song.id}`",
      remedy:
        """
        Compare the `:dom_id` of `stream_configure/3` with the `id` in the template. If a `limit` has \
        already removed the item, the finding is harmless.
        """),
    DiagnosticCode(
      "component-not-removed", .event, "A component was removed from the page but not destroyed",
      """
      The page no longer shows a LiveComponent, and 20 later versions had no answer to `cids_destroyed` \
      for it, so the server keeps its state.
      """,
      example: #"`phx-update="ignore"` or a hook keeps the element in the page"#,
      remedy:
        """
        Let the client remove the element, and check that the feed has the frames of both directions. The \
        answer ends the finding.
        """),
    DiagnosticCode(
      "unkeyed-list", .event, "A list without keys sends shifted entries again",
      """
      Without a `:key` (LiveView 1.1), entries are identified by their index. After an insertion, each \
      later entry gets the values of its neighbour, so the diff grows with the list, and focus, scroll \
      positions and subscriptions belong to the wrong entry. The mirror infers this \
      from the values, until a diff moves an entry, which shows a key; diffs of LiveView 1.0 never do.
      """,
      example: "an item is inserted before others in `<li :for={item <- @items}>`",
      remedy: "LiveView 1.0: use a stream. LiveView 1.1: \(Advice.unkeyed)"),
    DiagnosticCode(
      "unknown-key", .event, "The update has a key that no known LiveView sends",
      "The mirror knows LiveView up to 1.2. It ignored the key, as LiveView's client does.",
      example: #"`{"0":"1","new":1}`"#,
      remedy: "Update the mirror. If the app's LiveView is not newer than 1.2, report the key."),
    DiagnosticCode(
      "view-problem", .event, "A native view could not use the markup of its element",
      "A native client would show the element without that property, or not at all.",
      example: #"`<VStack spacing="lots">`"#,
      remedy: "Correct the attribute or the content that the finding names."),
    DiagnosticCode(
      "scoped-differs", .event, "A scoped update differs from a full one",
      "With `--verify`, each diff is also applied to the whole page. A difference is a bug of the mirror.",
      example: "the scoped update keeps an element that the full one removes",
      remedy: "Report the diff with an export of the view, and use `--pipeline full`."),
    DiagnosticCode(
      "more-findings", .event, "There are more findings than are listed",
      "A view lists 200 findings and counts the others.",
      example: "an unclosed element in each entry of a long list",
      remedy: "Fix the first ones, because many findings often have one cause."),
  ]
}
