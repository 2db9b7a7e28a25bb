/** The server's reason to reject a save; see saving.ts. */
export interface Refusal {
  message: string;
  /** Path such as `quiz.questions[2].options[0].content`. */
  path: string | null;
}

/** The index of the refused question and the path inside it; null when the refusal is not about a question. */
export function locationOf(refusal: Refusal | null): { question: number; at: string } | null {
  const match = /^quiz\.questions\[(\d+)\](?:\.(.*))?$/.exec(refusal?.path ?? "");
  return match ? { question: Number(match[1]), at: match[2] ?? "" } : null;
}
