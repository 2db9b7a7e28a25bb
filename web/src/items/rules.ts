import { ITEM_DESCRIPTION_MAX, TITLE_MAX } from "../limits.generated";

/** Counts code points like the server, not UTF-16 units. */
const length = (text: string) => [...text].length;

export function titleProblem(title: string): "titleRequired" | "titleTooLong" | null {
  if (title.trim() === "") return "titleRequired";
  return length(title.trim()) > TITLE_MAX ? "titleTooLong" : null;
}

export function descriptionProblem(description: string): "descriptionTooLong" | null {
  return length(description.trim()) > ITEM_DESCRIPTION_MAX ? "descriptionTooLong" : null;
}
