import { DESCRIPTION_MAX, TITLE_MAX } from "../limits.generated";

type Problem = "titleRequired" | "titleTooLong" | "descriptionTooLong" | null;

/** Counts code points like the server, not UTF-16 units. */
export function titleProblem(title: string): Problem {
  const { length } = [...title.trim()];
  if (length === 0) return "titleRequired";
  return length > TITLE_MAX ? "titleTooLong" : null;
}

export function descriptionProblem(description: string): Problem {
  return [...description.trim()].length > DESCRIPTION_MAX ? "descriptionTooLong" : null;
}

/** Returns the problem of an email to invite as a key of `courseSettings.team`, or null. */
export function emailProblem(email: string): "emailRequired" | "emailPattern" | null {
  const typed = email.trim();
  if (typed === "") return "emailRequired";
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed) ? null : "emailPattern";
}

/** Returns the address of the home screen with the share code filled in. */
export function shareLink(origin: string, code: string): string {
  return `${origin}/?code=${code}`;
}
