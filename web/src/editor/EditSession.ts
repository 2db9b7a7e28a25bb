import type { ApolloClient } from "@apollo/client";
import { createStore, type ReadonlyStore, type Store } from "@tanstack/react-store";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { pageTitle } from "../course/pageTitle";
import { i18n } from "../i18n";
import { toastSuccess } from "../ui/toasts";
import { guardUnsaved } from "../ui/unsaved";
import { type Conflict, mergeTexts, resolved } from "./compare/mergeTexts";
import { followContent, replaceContent } from "./createEditor";
import { type Change, DraftKeeper } from "./drafts";
import type { EditedPage } from "./EditPage";
import { openEditorLock } from "./locks";
import { registerSaver } from "./openSavers";
import { PageSaver } from "./PageSaver";
import { editorText, type PageText, serverText } from "./pageText";
import { isSettled, type Problem, type SaveStatus, statusOf } from "./saving";
import { modelSchema } from "./schema";
import { sendPage } from "./sendPage";
import { fromStored } from "./stored";

/** The parts of the page beside its document. */
interface PageParts {
  title: string;
  /** Null on a content page. */
  quiz: unknown;
  /** The question to open, by its index from 0; a new object each time. */
  wanted: { question: number } | null;
  /** Rises when the quiz is replaced from outside; its fields then start over. */
  quizRevision: number;
  /** Whether the editor can hold the page's content without losing any of it. */
  isReadable: boolean;
}

/** What components show of an open page. */
export interface EditState extends PageParts {
  status: SaveStatus;
  problem: Problem<PageText> | null;
  isSettled: boolean;
  /** This device failed to store a draft of the unsaved text. */
  isAtRisk: boolean;
}

/** A text put into the session as a whole. A missing `quiz` keeps the current one. */
interface WholeText {
  title?: string | null;
  content: unknown;
  quiz?: unknown;
}

/** A text made of two. */
type Merged = Pick<PageText, "title" | "content" | "quiz">;

/**
 * A page that is open in an editor: owns its title, document, quiz and saver. Components read its `state` with `useEditSession`; every
 * change goes through its methods, which save it.
 */
export class EditSession {
  /** Names this editor to the server (`user_session_id`). */
  readonly id: string;
  readonly saver: PageSaver;
  /** The published version that was merged into the text since its last save. */
  #includes: number | null = null;
  readonly #parts: Store<PageParts>;
  readonly state: ReadonlyStore<EditState>;
  /** The last content from the server or a draft; what an editor starts with. */
  #content: unknown;
  /** The document in the editor; null for content that the editor cannot hold. */
  #doc: Node | null;
  #editor: Editor | null = null;
  readonly #number: number;

  constructor(client: ApolloClient, page: EditedPage, userId: string) {
    const { session, close } = openEditorLock();
    this.id = session;
    this.#content = page.content;
    this.#doc = fromStored(modelSchema(), page.content);
    this.#parts = createStore<PageParts>({
      title: page.title ?? "",
      quiz: page.authorQuiz ?? null,
      wanted: null,
      quizRevision: 0,
      isReadable: this.#doc !== null,
    });
    this.#number = page.number;
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const { title: course, id: courseId } = page.course;
    const label = () => ({ page: this.shownTitle, course, courseId });
    this.saver = new PageSaver({
      version: page.version,
      stored: serverText(page),
      send: sendPage(client, { pageId: page.id, session, includes: () => this.#includes }),
      drafts: new DraftKeeper(localStorage, { userId, pageId: page.id, session }, label),
      onEnd: () => {
        close();
        endGuard();
        ended();
      },
    });
    this.state = createStore(() => {
      const saving = this.saver.state.get();
      return {
        ...this.#parts.get(),
        status: statusOf(saving),
        problem: saving.problem,
        isSettled: isSettled(saving),
        isAtRisk: this.saver.isAtRisk,
      };
    });
    // Everything else is in a draft on this device.
    const endGuard = guardUnsaved({ isUnsaved: () => this.saver.isAtRisk, settle: this.settle });
    registerSaver(page.id, this.saver, end);
    this.saver.state.subscribe(() => {
      if (isSettled(this.saver.state.get())) this.#includes = null;
      this.#mergeAlone();
    });
  }

  /** The title, or the page's number within its lesson when it has none. */
  get shownTitle(): string {
    return pageTitle({ title: this.#parts.get().title.trim() || null, number: this.#number }, i18n.t);
  }

  /** The content as the author sees it, in its stored form. */
  get content(): unknown {
    return this.#doc ? editorText(this.#parts.get().title, this.#doc).content : this.#content;
  }

  /** Connects the editor that shows the document. Returns a function that disconnects it. */
  attach(editor: Editor): () => void {
    this.#editor = editor;
    this.#setDocument(editor.state.doc);
    return () => {
      if (this.#editor === editor) this.#editor = null;
    };
  }

  readonly setTitle = (title: string): void => {
    this.#change({ title });
    this.#changed({ title });
  };

  /** Takes the new quiz, or a function of the current one. */
  readonly setQuiz = (change: object | ((quiz: unknown) => object)): void => {
    this.#change({ quiz: typeof change === "function" ? change(this.#parts.get().quiz) : change });
    this.#changed(null);
  };

  /** Takes the document after the author changed it in the attached editor. */
  readonly setDocument = (doc: Node, steps: unknown[] | null): void => {
    this.#setDocument(doc);
    this.#changed(steps && { steps });
  };

  /** Saves now instead of after a pause. */
  readonly save = (): void => this.saver.flush();

  /** Saves and waits; resolves to whether everything is on the server. */
  readonly settle = (): Promise<boolean> => this.saver.settle();

  /** Puts the text of a draft into the editor and saves it. */
  restoreDraft(text: WholeText): void {
    this.#show(text, false);
    this.#changed(null);
    this.save();
  }

  /** Takes and saves a text into which the changes of a published version were merged. */
  takePublished(text: Merged, version: number): void {
    this.#showMerged(text);
    this.#includes = version;
    this.#changed(null);
    this.save();
  }

  /** Takes the number that the saved text has now. */
  renumber(version: number): void {
    const { stored } = this.saver.state.get();
    if (stored) this.saver.dispatch({ type: "replaced", version, text: stored });
  }

  /** Shows a text that the server has put in place of this one, such as a restored version. */
  showRestored(page: Pick<EditedPage, "version" | "title" | "content" | "authorQuiz">): void {
    const text = serverText(page);
    this.saver.dispatch({ type: "replaced", version: page.version, text });
    this.#show(text, true);
  }

  /**
   * The parts of both texts in a conflict, merged by block; null without a conflict, and when the text that both were made of is unknown or
   * the editor cannot hold it.
   */
  conflict(): Conflict | null {
    const { problem, base, pending } = this.saver.state.get();
    if (problem?.kind !== "conflict" || !base || !pending || !this.#doc) return null;
    return mergeTexts(base, pending, problem.stored.text);
  }

  /** Resolves a conflict with a text of both. */
  takeMerged(merged: Merged): void {
    this.#showMerged(merged);
    const text = this.#doc ? editorText(this.#parts.get().title, this.#doc, merged.quiz) : null;
    if (text) this.saver.dispatch({ type: "merged", text });
  }

  /** Resolves a conflict by saving the author's text over the server's. */
  keepMine(): void {
    this.saver.dispatch({ type: "keepMine" });
  }

  /** Resolves a conflict by showing the server's text instead of the author's. */
  takeTheirs(): void {
    const { problem } = this.saver.state.get();
    if (problem?.kind !== "conflict") return;
    this.saver.dispatch({ type: "takeStored" });
    this.#show(problem.stored.text, true);
  }

  /** Shows a page that another editor has saved, with the cursor where it is. */
  follow(page: EditedPage): void {
    this.#showMerged(serverText(page));
  }

  /** Takes a text that the server has made of the saved one. */
  takeSaved(page: Pick<EditedPage, "version" | "title" | "content" | "authorQuiz">): void {
    const text = serverText(page);
    this.saver.dispatch({ type: "replaced", version: page.version, text });
    this.#showMerged(text);
  }

  focusText(): void {
    this.#editor?.commands.focus("start");
  }

  /** Opens a question of the quiz at its first problem, by its index from 0. */
  readonly showQuestion = (question: number): void => {
    this.#change({ wanted: { question } });
  };

  showQuestionById(id: string): void {
    const { quiz } = this.#parts.get() as { quiz: { questions?: readonly { id: string }[] } | null };
    const index = quiz?.questions?.findIndex((question) => question.id === id) ?? -1;
    if (index >= 0) this.showQuestion(index);
  }

  /** Scrolls to a block by its index. */
  showBlock(index: number): void {
    this.#editor?.view.dom.children[index]?.scrollIntoView({ block: "center" });
  }

  /** Call when the screen is left; unsaved text is still sent. */
  leave(): void {
    this.saver.leave();
  }

  /** Resolves a conflict without the author if nothing was changed on both sides. */
  #mergeAlone(): void {
    const conflict = this.conflict();
    if (!conflict || conflict.choices > 0) return;
    this.takeMerged(resolved(conflict, () => "mine"));
    toastSuccess(i18n.t("editor.conflict.merged"));
  }

  /** Shows a text with the cursor where it is; the fields of its quiz start over only if the quiz differs. */
  #showMerged({ title, content, quiz }: Merged): void {
    this.#change({ title: title ?? "" });
    if (JSON.stringify(quiz) !== JSON.stringify(this.#parts.get().quiz)) this.#replaceQuiz(quiz);
    this.#showServerContent(content, followContent);
  }

  #show({ title, content, quiz }: WholeText, fromServer: boolean): void {
    this.#change({ title: title ?? "" });
    if (quiz !== undefined) this.#replaceQuiz(quiz);
    if (fromServer) this.#showServerContent(content, (editor) => replaceContent(editor, content, true));
    else if (this.#editor && replaceContent(this.#editor, content, false))
      this.#setDocument(this.#editor.state.doc);
  }

  #showServerContent(content: unknown, show: (editor: Editor, content: unknown) => boolean): void {
    this.#content = content;
    const doc = fromStored(modelSchema(), content);
    this.#setDocument(doc);
    if (doc && this.#editor && show(this.#editor, content)) this.#setDocument(this.#editor.state.doc);
  }

  #replaceQuiz(quiz: unknown): void {
    this.#change({ quiz, quizRevision: this.#parts.get().quizRevision + 1 });
  }

  #setDocument(doc: Node | null): void {
    this.#doc = doc;
    const isReadable = doc !== null;
    if (isReadable !== this.#parts.get().isReadable) this.#change({ isReadable });
  }

  #change(change: Partial<PageParts>): void {
    this.#parts.setState((parts) => ({ ...parts, ...change }));
  }

  #changed(change: Change | null): void {
    const { title, quiz } = this.#parts.get();
    const text = this.#doc
      ? editorText(title, this.#doc, quiz)
      : // Content that the editor cannot hold stays as it is on the server.
        { title: title.trim() || null, content: this.#content, quiz, contentKey: null };
    this.saver.changed(text, change);
  }
}
