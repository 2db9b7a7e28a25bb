/** Counts code points like the server, not UTF-16 units. */
const MAX = 255;
const length = (text: string) => [...text].length;

export function titleProblem(title: string): "titleRequired" | "titleTooLong" | null {
  if (title.trim() === "") return "titleRequired";
  return length(title.trim()) > MAX ? "titleTooLong" : null;
}

export function descriptionProblem(description: string): "descriptionTooLong" | null {
  return length(description.trim()) > MAX ? "descriptionTooLong" : null;
}
