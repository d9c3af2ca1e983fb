// Codes about the view as a whole and about its diffs.

extension DiagnosticCode {
  static let updates: [DiagnosticCode] = [
    DiagnosticCode(
      "duplicate-id", .duplicate, "An id is on more than one element",
      """
      Ids must be unique in a page. LiveView's client and the mirror identify elements by their id. Only the \
      first element in document order is identified by a shared id; the others are treated as if they had \
      none.
      """,
      effect:
        """
        A patch can update the wrong element, and hooks, form fields, streams and components can lose their \
        state.
        """,
      remedy:
        "Make the id unique, for example `id={\"song-#{@song.id}\"}` instead of `id=\"song\"`. In a component that is used more than once, derive ids from the id of the component."
    ),
    DiagnosticCode(
      "rejected-diff", .event, "An input did not fit and was not applied",
      """
      The input was JSON, but not a Rendered or a diff that fits the tree of the view. The view was not \
      changed, and no subscriber was notified. The finding names the place in the input and the reason; the \
      log has the input.
      """,
      effect: """
        From then on the mirror may differ from the page in the browser, and later diffs may not fit either.
        """,
      remedy:
        "Check that the feed delivers every frame in order, from the join on. Mount the view again with `POST /views/{view}/rendered`, or reload the page in the browser. If the browser accepts the diff, please report it as a bug of the mirror."
    ),
    DiagnosticCode(
      "client-throws", .event, "LiveView's client stops this update with an error",
      """
      The client that patches the page throws an error at this update. The browser keeps what was patched until \
      then, and the rest of the update is lost there. The finding names the reason and the versions of the \
      client that it concerns. The mirror applies the update as far as the client does.
      """,
      effect: "The page in the browser is frozen or wrong until it is loaded again.",
      remedy:
        """
        Change the template so that the reason disappears, or use a version of LiveView that does not throw. The \
        console of the browser shows the error.
        """),
    DiagnosticCode(
      "version-skew", .event, "The client in the page and the server are different versions of LiveView",
      """
      The page has loaded a client of another minor version than the server's. The mirror follows the rules of the client that is \
      really there.
      """,
      effect:
        """
        The two speak different protocols. For example, a client of 1.2.8 or later stops with an error when a server of 1.1 moves an \
        entry of a list.
        """,
      remedy:
        "Load the client from the server's own package, as `import {LiveSocket} from \"phoenix_live_view\"` does, and build the assets again. Reload open pages after an upgrade."
    ),
    DiagnosticCode(
      "unknown-stream-child", .event, "A stream names an item that the page does not have",
      """
      The diff deletes an item of a stream, or updates one with `update_only: true`, and the page has no \
      element with the DOM id. LiveView's client ignores this without a message.
      """,
      effect:
        """
        The item was sent without effect. Often the ids that the server computes differ from those in the \
        page, and the change is lost.
        """,
      remedy:
        "Compare the `:dom_id` of `stream_configure/3` with the `id` in the template. An item that a `limit` has already removed need not be deleted; then the finding is harmless."
    ),
    DiagnosticCode(
      "component-not-removed", .event, "A component was removed from the page but not destroyed",
      """
      The page no longer shows a LiveComponent, and at least 20 later versions brought no answer to \
      `cids_destroyed` for it. The client sends that event when it removes the element of a component; then \
      the server frees the component.
      """,
      effect: "The server keeps the state of the component, and the number of components grows.",
      remedy:
        "Look for an element that `phx-update=\"ignore\"` or a hook keeps in the page, and check that the feed has the frames of both directions. The finding disappears when the answer arrives."
    ),
    DiagnosticCode(
      "unkeyed-list", .event, "A list without keys sends shifted entries again",
      """
      LiveView identifies the entries of a comprehension by their index, unless it has a `:key` (LiveView 1.1). \
      After an insertion or a removal, each later entry gets the values of its neighbour, and the diff contains \
      all of them. The wire does not name the keys: the mirror infers from the values that there are none. It \
      withdraws the finding when an entry moves, because only entries with a key move.
      """,
      effect:
        """
        The diff grows with the list, and elements take over the content of their neighbours: focus, scroll \
        positions and subscriptions belong to the wrong entry.
        """,
      remedy:
        """
        Use a stream, or add `:key={item.id}` to the comprehension (from LiveView 1.1). With LiveView 1.0, a LiveComponent \
        with an id in each entry keeps the entries small: the diff then repeats only the numbers of the components.
        """),
    DiagnosticCode(
      "unknown-key", .event, "The update has a key that no known LiveView sends there",
      "The mirror knows the protocol of LiveView up to 1.2. It ignored the key, as LiveView's client does.",
      effect: "A newer LiveView may mean something by the key that the mirror does not show.",
      remedy: "Update the mirror. If the app's LiveView is not newer than 1.2, please report the key."),
    DiagnosticCode(
      "view-problem", .event, "A native view could not use the markup of its element",
      """
      The mirror draws the page with its own views. A view noted a problem, such as an attribute that it \
      cannot read.
      """,
      effect: "A native client would show the element without that property, or not at all.",
      remedy: "Correct the attribute or the content of the element that the finding names."),
    DiagnosticCode(
      "scoped-differs", .event, "A scoped update differs from a full one",
      "With `--verify`, each diff is also applied to the whole page. The two results differ.",
      effect: "It is a bug of the mirror. The page that it shows may differ from the one in the browser.",
      remedy:
        """
        Please report the diff, with an export of the view. Run the mirror without scoped updates until it \
        is fixed.
        """),
    DiagnosticCode(
      "more-findings", .event, "There are more findings than are listed",
      """
      A view lists 200 findings. The others are counted; each entry of the log still has its own \
      diagnostics.
      """,
      effect: "The list is incomplete.",
      remedy: "Fix the first ones. Many findings often have one cause, such as an unclosed element."),
  ]
}
