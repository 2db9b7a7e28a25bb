const TITLE_MAX = 255;
const DESCRIPTION_MAX = 10_000;

type Problem = "titleRequired" | "titleTooLong" | "descriptionTooLong" | null;

/** As the server counts: characters, not units of UTF-16. */
export function titleProblem(title: string): Problem {
  const { length } = [...title.trim()];
  if (length === 0) return "titleRequired";
  return length > TITLE_MAX ? "titleTooLong" : null;
}

export function descriptionProblem(description: string): Problem {
  return [...description.trim()].length > DESCRIPTION_MAX ? "descriptionTooLong" : null;
}

/** What is wrong with an address to invite, as a key of `courseSettings.team`. */
export function emailProblem(email: string): "emailRequired" | "emailPattern" | null {
  const typed = email.trim();
  if (typed === "") return "emailRequired";
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed) ? null : "emailPattern";
}

/** Where a learner comes in with the code at hand. */
export function shareLink(origin: string, code: string): string {
  return `${origin}/?code=${code}`;
}
