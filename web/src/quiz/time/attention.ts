/** The part of `DOMRect` that tells where an element is in the window. */
interface Place {
  top: number;
  bottom: number;
}

export interface Seen extends Place {
  id: string;
}

/** Whether an element is in the window. */
const isSeen = ({ top, bottom }: Place, height: number): boolean => bottom > 0 && top < height;

/**
 * The question that a learner attends to: the one with the focus, else the one that was used last, as long as they are in the window;
 * otherwise the one nearest to its middle. Null when no question is in the window.
 */
export function attended(
  questions: readonly Seen[],
  wanted: readonly (string | null)[],
  height: number,
): string | null {
  const seen = questions.filter((question) => isSeen(question, height));
  for (const id of wanted) if (id !== null && seen.some((question) => question.id === id)) return id;
  const middle = height / 2;
  const distance = ({ top, bottom }: Place) => Math.max(top - middle, middle - bottom, 0);
  const [first, ...others] = seen;
  if (!first) return null;
  return others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first).id;
}
