import { isAnswered, isPartlyAnswered, lacksUnit } from "../answers";
import type { Unsent } from "../fields/FileUpload";
import type { Answer, Question } from "../model";
import { lengthProblem } from "../words";

/** Why an answer is incomplete. An incomplete answer may still be saved. */
type Incomplete = "empty" | "partly" | "lacksUnit";
/** Why an answer cannot be sent as it is shown. */
type Unsendable = "length" | "uploading" | "unsent" | "unreadable";
export type Hold = Incomplete | Unsendable;

/** The text of each reason. */
export const HOLD_TEXTS = {
  empty: "quiz.stepwise.empty",
  partly: "quiz.stepwise.partly",
  lacksUnit: "quiz.stepwise.lacksUnit",
  length: "quiz.essay.outside",
  uploading: "quiz.stepwise.uploading",
  unsent: "quiz.stepwise.unsent",
  unreadable: "quiz.unreadableNumber",
} as const satisfies Record<Hold, string>;

interface Given {
  question: Question;
  answer: Answer | undefined;
  unsent: Unsent | null | undefined;
  /** Whether an input has text that cannot be read, such as letters for a number. */
  isUnreadable: boolean;
}

/** Why sending would lose something of the answer; null if nothing would be lost. */
export function unsendable({ question, answer, unsent, isUnreadable }: Given): Unsendable | null {
  if (question.__typename === "EssayQuestion" && lengthProblem(answer?.content, question)) return "length";
  if (unsent === "running") return "uploading";
  if (unsent === "failed") return "unsent";
  return isUnreadable ? "unreadable" : null;
}

/** As `heldBy`, but an answer that is partly given, or lacks its unit, is held only once: null if `previous` is the same reason. */
export function heldOnce(previous: Hold | null, given: Given): Hold | null {
  const reason = heldBy(given);
  return reason === previous && (reason === "partly" || reason === "lacksUnit") ? null : reason;
}

/** Why the answer is not checked yet; null if it can be. */
export function heldBy(given: Given): Hold | null {
  const { question, answer } = given;
  const reason = unsendable(given);
  if (reason || isAnswered(question, answer)) return reason;
  if (lacksUnit(question, answer)) return "lacksUnit";
  return isPartlyAnswered(question, answer) ? "partly" : "empty";
}
