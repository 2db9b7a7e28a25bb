/** What the server would not take, as saving.ts tells it. */
export interface Refusal {
  message: string;
  /** `quiz.questions[2].options[0].content` */
  path: string | null;
}

/** Where in the quiz it is: the question's place from 0, and the way inside it. Null when it is about something else. */
export function placeOf(refusal: Refusal | null): { question: number; at: string } | null {
  const match = /^quiz\.questions\[(\d+)\](?:\.(.*))?$/.exec(refusal?.path ?? "");
  return match ? { question: Number(match[1]), at: match[2] ?? "" } : null;
}
