/// The sentence on every page while the journal accepts no changes.
struct JournalNotice {
  let problem: String

  init(_ problem: String) { self.problem = problem }

  var html: HTML {
    """
    <section class="journal-problem" role="alert" aria-label="The journal">
    <p><strong class="bad"><span aria-hidden="true">✕ </span>No diffs are accepted</strong>: \(problem). They are answered with \
    503 until the journal can be written; then sending them again suffices.</p>
    </section>

    """
  }
}
