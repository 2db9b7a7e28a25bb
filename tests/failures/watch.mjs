// Checks shared by the failure tests: clear errors, readiness, no 500 in the log.

/** Thrown when a test cannot run on this machine. */
export class Skipped extends Error {}

/** The maximum time for an error response, in ms. */
export const REFUSED_WITHIN_MS = 4_000;

/**
 * Sends a request and reads its response: status, text, headers, milliseconds.
 * @param {{ url: string }} server @param {string} method @param {string} path
 * @param {{ token?: string, body?: unknown, lang?: string }} [with_]
 */
export async function call(server, method, path, { token, body, lang = "ru" } = {}) {
  const isForm = body instanceof FormData;
  const started = performance.now();
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      "accept-language": lang,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    },
    body: body === undefined || isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  return { status: answer.status, text, headers: answer.headers, ms: performance.now() - started };
}

/** An author saves a page as one paragraph. */
export function save(server, school, page, text) {
  const body = {
    content: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] },
  };
  return call(server, "PUT", `/api/v1/courses/update_page/${page}`, { token: school.token, body });
}

/** Checks for a prompt 503 with Retry-After and a message in the client's language. */
export function mustBeRefused(what, answer, words, within = REFUSED_WITHIN_MS) {
  if (answer.status !== 503) throw new Error(`${what}: ${answer.status} ${answer.text}, expected 503`);
  if (!(Number(answer.headers.get("retry-after")) > 0)) throw new Error(`${what}: no Retry-After`);
  if (!answer.text.includes(words)) throw new Error(`${what}: expected «${words}», it says ${answer.text}`);
  if (answer.ms > within) throw new Error(`${what}: refused after ${Math.round(answer.ms)} ms only`);
}

export function mustBeFine(what, answer) {
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${answer.text}`);
  return answer.text ? JSON.parse(answer.text) : undefined;
}

/** Waits until the condition holds; returns the milliseconds. */
export async function until(what, within, holds) {
  const started = performance.now();
  let last;
  while (performance.now() - started < within) {
    last = await holds();
    if (last === true) return Math.round(performance.now() - started);
    await sleep(50);
  }
  throw new Error(`not within ${within} ms: ${what} (${last})`);
}

export async function isReady(server) {
  const answer = await call(server, "GET", "/readyz").catch((error) => ({ status: String(error), text: "" }));
  return answer.status === 200 || `${answer.status} ${answer.text}`;
}

export async function isNotReady(server) {
  return (await isReady(server)) !== true || "it says that it is ready";
}

/** Checks that the log contains no 500. */
export function mustHaveNoFaults(server, school) {
  const { faults, refused } = school.counts;
  if (faults.length > 0)
    throw new Error(`a failure was answered as a fault: ${faults.slice(0, 3).join("; ")}`);
  if (refused.length > 0) throw new Error(`refused for no reason: ${refused.slice(0, 3).join("; ")}`);
  if (server.hasSaid("panicked")) throw new Error("something panicked; see the log");
}

/** Runs `kurso check --deep`. */
export async function mustBeWhole(server) {
  const report = JSON.parse(await server.cli("check", "--deep", "--json"));
  if (report.problems > 0) throw new Error(`check found ${JSON.stringify(report.findings)}`);
}

export function sum(counts) {
  return Object.values(counts.acknowledged).reduce((all, n) => all + n, 0);
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
