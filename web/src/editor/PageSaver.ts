import type { Change, DraftKeeper } from "./drafts";
import type { PageText } from "./pageText";
import { Saver } from "./Saver";
import type { Event } from "./saving";

/** Sends one save and resolves with its outcome; never rejects. `parts` names the parts of the text that the request must carry. */
export type Send = (
  text: PageText,
  request: { version: number; parts: Parts; signal: AbortSignal; leaving: boolean },
) => Promise<Event<PageText>>;

export interface Parts {
  title: boolean;
  content: boolean;
  quiz: boolean;
}

interface Options {
  version: number;
  /** The text on the server. */
  stored: PageText;
  send: Send;
  drafts: DraftKeeper;
  /** Called once, when nothing is left to send after `leave`. */
  onEnd?: () => void;
}

/** Saves the text of a page: the parts that differ from the server's. */
export class PageSaver extends Saver<PageText, Change> {
  constructor({ send, drafts, ...options }: Options) {
    super({
      ...options,
      copy: drafts,
      send: (text, { stored, ...request }) => send(text, { ...request, parts: partsToSend(stored, text) }),
      prepare: (text) => void text.content,
    });
  }
}

/** The parts that differ from the stored text; all of them when it is unknown or nothing differs. */
function partsToSend(stored: PageText | null, text: PageText): Parts {
  const everything = { title: true, content: text.contentKey !== null, quiz: true };
  if (!stored) return everything;
  const parts = {
    title: stored.title !== text.title,
    content: text.contentKey !== null && stored.contentKey !== text.contentKey,
    quiz: stored.quiz !== text.quiz,
  };
  return parts.title || parts.content || parts.quiz ? parts : everything;
}
