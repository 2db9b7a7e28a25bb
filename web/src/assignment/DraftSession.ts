import type { ApolloClient } from "@apollo/client";
import { createStore, type ReadonlyStore, type Store } from "@tanstack/react-store";
import { abandonedDrafts, openEditorLock } from "../editor/locks";
import { registerSaver } from "../editor/openSavers";
import { Saver } from "../editor/Saver";
import { isSettled, type Problem, type SaveStatus, statusOf } from "../editor/saving";
import type { Pending } from "../quiz/draft";
import { guardUnsaved } from "../ui/unsaved";
import type { DraftStoredFragment } from "./Assignment.generated";
import { CopyKeeper, forgetCopy, readCopies } from "./copies";
import { type DraftText, EMPTY, isSame, isSameDocument, mergeDrafts, storedText } from "./draftText";
import { type ConflictingText, sendDraft } from "./sendDraft";

/** The name under which the savers of drafts are registered beside those of pages. */
export const draftKey = (pageId: string): string => `draft of ${pageId}`;

interface Shown {
  text: DraftText;
  /** Rises when the document is replaced from outside; its field then starts over. */
  revision: number;
}

/** What components show of a draft. */
export interface DraftState extends Shown {
  status: SaveStatus;
  problem: Problem<DraftText> | null;
  isSettled: boolean;
  /** This device failed to keep a copy of the unsaved text. */
  isAtRisk: boolean;
}

/** The draft of an assignment in an open form: owns its text, saves it on the server, and keeps what is not saved on this device. */
export class DraftSession {
  readonly #saver: Saver<DraftText>;
  readonly #copy: CopyKeeper;
  readonly #shown: Store<Shown>;
  /** Version of the draft that a submission of an earlier visit was written on, until it is answered. */
  #sentOn: number | null = null;
  readonly state: ReadonlyStore<DraftState>;

  constructor(
    client: ApolloClient,
    private readonly page: { id: string; draft: DraftStoredFragment | null },
    private readonly userId: string,
  ) {
    const { session, close } = openEditorLock();
    const stored = storedText(page.draft);
    this.#shown = createStore<Shown>({ text: stored, revision: 0 });
    this.#copy = new CopyKeeper({ userId, pageId: page.id, session });
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    this.#saver = new Saver<DraftText>({
      version: page.draft?.version ?? 0,
      stored,
      send: sendDraft(client, page.id),
      copy: this.#copy,
      onEnd: () => {
        close();
        endGuard();
        ended();
      },
    });
    this.state = createStore((): DraftState => {
      const saving = this.#saver.state.get();
      return {
        ...this.#shown.get(),
        status: statusOf(saving),
        problem: saving.problem,
        isSettled: isSettled(saving),
        isAtRisk: this.#saver.isAtRisk,
      };
    });
    // Everything else is in a copy on this device.
    const endGuard = guardUnsaved({ isUnsaved: () => this.#saver.isAtRisk, settle: () => this.settle() });
    registerSaver(draftKey(page.id), this.#saver, end);
    this.#saver.state.subscribe(() => this.#mergeAlone());
  }

  get text(): DraftText {
    return this.#shown.get().text;
  }

  /** Takes what the learner changed in the fields. */
  readonly change = (part: Partial<DraftText>): void => {
    this.#shown.setState(({ text, revision }) => ({ text: { ...text, ...part }, revision }));
    this.#saver.changed(this.text);
  };

  /** Puts another text into the fields and saves it. */
  replace(text: DraftText): void {
    this.#show(text);
    this.#saver.changed(text);
    this.save();
  }

  /** Saves now instead of after a pause. */
  readonly save = (): void => this.#saver.flush();

  /** Saves and waits; resolves to whether everything is on the server. */
  settle(): Promise<boolean> {
    return this.#saver.settle();
  }

  /** The submission that has no answer yet. */
  get pending(): Pending | null {
    return this.#copy.pending;
  }

  /**
   * Restores what a closed form on this device could not save, and a submission that was sent without an answer. What was written on an
   * older draft becomes a conflict.
   */
  async recover(): Promise<void> {
    const copies = await abandonedDrafts(readCopies(this.userId, this.page.id));
    const sent = copies.find(({ pending }) => pending);
    const [newest] = sent ? [sent] : copies.filter(({ text }) => !isSame(text, this.text));
    for (const copy of copies) if (isSame(copy.text, this.text) && copy !== sent) forgetCopy(copy);
    // What the learner is typing already comes first; the copy waits for the next visit.
    if (!newest || !isSettled(this.#saver.state.get())) return;
    this.#show(newest.text);
    if (newest.pending) {
      this.#sentOn = newest.version;
      this.keepPending(newest.pending);
    } else this.#saveFrom(newest.version);
    forgetCopy(newest);
  }

  /**
   * Shows the draft that another window or device has saved, unless there is unsaved text here; null when there is none any more.
   * `hasEnded` tells that a version was handed in meanwhile: the draft here ended with it, and a newer one counts from the beginning.
   */
  follow(draft: DraftStoredFragment | null, hasEnded: boolean): void {
    const saving = this.#saver.state.get();
    if (this.pending || !isSettled(saving)) return;
    if (draft && !hasEnded && draft.version <= saving.version) return;
    const text = storedText(draft);
    this.#saver.dispatch({ type: "replaced", version: draft?.version ?? 0, text });
    if (!isSame(text, this.text)) this.#show(text);
  }

  /**
   * Saves what is unsaved, and then stops saving until the server has answered the submission or `resumeSaving` is called: a save that arrives
   * after the submission would store the submitted work as a draft again.
   */
  stopSaving(): Promise<void> {
    return this.#saver.pause();
  }

  resumeSaving(): void {
    this.#saver.resume();
  }

  /** Keeps a submission on this device until it is answered. */
  keepPending(pending: Pending): void {
    this.#copy.keepPending(pending, this.text, this.#sentOn ?? this.#saver.state.get().version);
  }

  /** The submission was refused: the text is a draft again. */
  endPending(): void {
    this.#copy.endPending();
    const saving = this.#saver.state.get();
    const version = this.#sentOn ?? saving.version;
    this.#sentOn = null;
    if (saving.stored !== null && isSettled(saving) && isSame(this.text, saving.stored)) this.#copy.forget();
    else this.#saveFrom(version);
    this.#saver.resume();
  }

  /** The work was handed in, and the draft is gone with it. */
  handedIn(): void {
    this.#copy.endPending();
    this.#sentOn = null;
    this.#saver.dispatch({ type: "dropped", version: 0, text: EMPTY });
    this.#saver.resume();
    this.#copy.forget();
    this.#show(EMPTY);
  }

  /** Resolves a conflict by saving the text of this form over the server's. */
  keepMine(): void {
    this.#saver.dispatch({ type: "keepMine" });
  }

  /** Resolves a conflict by showing the server's text. */
  takeTheirs(): void {
    const { problem } = this.#saver.state.get();
    if (problem?.kind !== "conflict") return;
    this.#saver.dispatch({ type: "takeStored" });
    this.#show(problem.stored.text);
  }

  /** Resolves a conflict with a text that has all of both. */
  keepBoth(): void {
    const { problem, base } = this.#saver.state.get();
    if (problem?.kind !== "conflict") return;
    this.#takeMerged(mergeDrafts(base, this.text, problem.stored.text).text);
  }

  /** Call when the screen is left; unsaved text is still sent. */
  leave(): void {
    this.#saver.leave();
  }

  /** Saves the text as written on this version of the draft; by it, the server decides whether the draft has changed since. */
  #saveFrom(version: number): void {
    if (version !== this.#saver.state.get().version)
      this.#saver.dispatch({ type: "dropped", version, text: EMPTY });
    this.#saver.changed(this.text);
    this.save();
  }

  /** Resolves a conflict without the learner if nothing was changed on both sides, or if there is no other draft any more. */
  #mergeAlone(): void {
    const { problem, base } = this.#saver.state.get();
    if (problem?.kind !== "conflict") return;
    const theirs = problem.stored.text as ConflictingText;
    if (theirs.savedAt === null) {
      this.keepMine();
      return;
    }
    const merged = mergeDrafts(base, this.text, theirs);
    if (merged.isClear) this.#takeMerged(merged.text);
  }

  #takeMerged(text: DraftText): void {
    this.#saver.dispatch({ type: "merged", text });
    if (!isSame(text, this.text)) this.#show(text);
  }

  #show(text: DraftText): void {
    this.#shown.setState((shown) => ({
      text,
      // The other fields show what they are given.
      revision: shown.revision + Number(!isSameDocument(text.content, shown.text.content)),
    }));
  }
}
