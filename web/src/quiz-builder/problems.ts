import type { MissingPart } from "./completeness";
import type { ProblemAt } from "./parts";
import { locationOf, type Refusal } from "./refusal";

/** Returns the problem at a path inside a question: what is missing, or the server's message. */
export function problemsOf(
  found: readonly MissingPart[],
  refusal: Refusal | null,
  words: (lack: MissingPart["lack"]) => string,
): ProblemAt {
  const refusedAt = locationOf(refusal)?.at;
  return (at) => {
    const lacking = found.find((one) => one.at === at);
    if (lacking) return words(lacking.lack);
    return refusal && refusedAt === at ? refusal.message : null;
  };
}
