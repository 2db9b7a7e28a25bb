import { i18n } from "../i18n";
import { token } from "./session";

/** A query that index.html sent while the app was loading (scripts/firstScreens.mjs). */
interface FirstAnswer {
  operationName: string;
  /** The variables as JSON. */
  variables: string;
  token: string;
  language: string;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    firstAnswers?: FirstAnswer[] | undefined;
  }
}

/** Milliseconds after page load during which the responses are used; later they may be stale. */
const MAX_AGE_MS = 10_000;

/** A `fetch` that uses each preloaded response once, for the same session and language. */
export const firstFetch: typeof fetch = async (input, init) => {
  const early = takeFirst(init);
  if (early) {
    const response = await early.answer.catch(() => null);
    // After any failure the request is sent normally.
    if (response?.ok) return response;
  }
  return fetch(input, init);
};

function takeFirst(init: RequestInit | undefined): FirstAnswer | undefined {
  const asked = window.firstAnswers;
  if (!asked || typeof init?.body !== "string") return undefined;
  if (asked.length === 0 || performance.now() > MAX_AGE_MS) {
    window.firstAnswers = undefined;
    return undefined;
  }
  const { operationName, variables } = JSON.parse(init.body);
  const at = asked.findIndex(
    (one) =>
      one.operationName === operationName &&
      one.variables === JSON.stringify(variables ?? {}) &&
      one.token === token() &&
      one.language === i18n.language,
  );
  return at < 0 ? undefined : asked.splice(at, 1)[0];
}
