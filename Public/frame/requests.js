// @ts-check
// Requests to the mirror, and what every script does when one fails:
//
// - The page keeps what it shows.
// - `Live` names the failure in the header, tries again after 1, 2, 4 … 30 seconds, and announces
//   "live again".
// - Nothing is tried again if the mirror answers that the view has ended (`Gone`).
// - What a person does is not repeated, because it may have had its effect: `Acting` names the
//   failure in its line.
//
// The tap does the same in the console of its page.

// No answer, or one that says that something is wrong. `status` is 0 without an answer.
export class Failure extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

// The view has ended.
export class Gone extends Failure {}

// The text of an answer, or its value if JSON is requested.
export async function request(address, type = "application/json", headers = {}) {
  let answer, text;
  try {
    answer = await fetch(address, { headers: { Accept: type, ...headers } });
    text = await answer.text();
  } catch {
    throw new Failure("the mirror cannot be reached");
  }
  const { ok, status } = answer;
  if (ok) return type === "application/json" ? JSON.parse(text) : text;
  let problem;
  try {
    problem = JSON.parse(text);
  } catch {}
  if (problem?.code === "unknown-view") throw new Gone("the view was removed", status);
  if (problem?.code === "evicted-view") throw new Gone(problem.detail, status);
  throw new Failure(`the mirror responds with ${status}`, status);
}
