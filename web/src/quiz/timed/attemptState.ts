import type { Answers, Attempt } from "../model";
import type { Queue } from "./queue";

/** `submitting` by the learner, `over` when the time has ended, `ended` when the attempt is graded or gone. */
type Phase = "answering" | "submitting" | "over" | "ended";

export interface AttemptState {
  answers: Answers;
  phase: Phase;
  queue: Queue;
  /** Whether the last request was not answered. */
  isUnreachable: boolean;
  /** Whether this device keeps a copy of what is unsent. */
  isKept: boolean;
  /** The server's reason to refuse the submission. */
  refusal: string | null;
  /** The server's reasons to refuse answers, by question id. */
  refusals: Readonly<Record<string, string>>;
}

/** How an attempt has ended. */
export interface Ending {
  /** The graded attempt; null when it is gone, such as after a teacher has deleted it. */
  attempt: Attempt | null;
  isTimeOver: boolean;
  /** The number of answers that came too late. */
  lost: number;
  /** The failure of a page that cannot be read any more. */
  failure?: unknown;
}
