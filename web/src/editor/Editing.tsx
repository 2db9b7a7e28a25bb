import { useApolloClient, useQuery } from "@apollo/client/react";
import { Button } from "@mantine/core";
import type { Node } from "@tiptap/pm/model";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Document } from "../content/Document";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import type { AuthorQuiz } from "../quiz-builder/model";
import { pageTitle } from "../reading/pageTitle";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ConflictDialog } from "./ConflictDialog";
import { ContentEditor, type ContentHandle } from "./ContentEditor";
import { type Change, DraftKeeper, openSession } from "./drafts";
import { type EditedPage, PageCrumbs } from "./EditPage";
import { Banner } from "./frame/Banner";
import { Frame } from "./frame/Frame";
import frame from "./frame/Frame.module.css";
import { HistoryDialog } from "./history/HistoryDialog";
import { LeftBehind } from "./LeftBehind";
import { type OpenEditor, useLivePage } from "./live/useLivePage";
import { PageSaver } from "./PageSaver";
import { PublishedDocument } from "./Published.generated";
import { ofEditor, ofServer } from "./pageText";
import { rememberSaver } from "./savers";
import { isSettled, standing } from "./saving";
import { modelSchema } from "./schema";
import { sendPage } from "./sendPage";
import { fromStored } from "./stored";
import { useSaving } from "./useSaving";

/** Loaded on quiz pages alone. */
const QuizBuilder = lazy(() =>
  import("../quiz-builder/QuizBuilder").then(({ QuizBuilder }) => ({ default: QuizBuilder })),
);

/** One page in an editor: its frame, its text, and what becomes of it. */
export function Editing({ page, userId }: { page: EditedPage; userId: string }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(page.title ?? "");
  const [quiz, setQuiz] = useState<unknown>(page.authorQuiz ?? null);
  /** How often the quiz was replaced by another one: its fields begin anew then. */
  const [quizRevision, setQuizRevision] = useState(0);
  const [isPreview, setPreview] = useState(false);
  const [dialog, setDialog] = useState<"conflict" | "history" | null>(null);
  const [readable] = useState(() => fromStored(modelSchema(), page.content) !== null);
  const published = useQuery(PublishedDocument, { variables: { id: page.id }, fetchPolicy: "cache-first" })
    .data?.page.published;

  const content = useRef<ContentHandle>(null);
  const titleField = useRef<HTMLTextAreaElement>(null);
  const isNew = page.title === null && isEmpty(page.content);
  /** The text as the author sees it now. */
  const now = useRef<{ title: string; doc: Node | null; quiz: unknown }>({ title, doc: null, quiz });
  now.current.title = title;
  now.current.quiz = quiz;

  const editor = useSaver(page, userId, now);
  const saver = editor?.saver ?? null;
  const isQuiz = page.kind === "QUIZ";
  // Not whether the text of a content page is saved: that changes with letters, and the frame alone says it.
  const { trouble, isAtRisk, isQuizSaved } = useSaving(saver, (saving) => ({
    trouble: saving.trouble,
    isAtRisk: saving.isAtRisk,
    isQuizSaved: isQuiz && saving.isSettled,
  }));
  const save = () => saver?.flush();

  const changed = (change: Change | null) => {
    const { title, doc, quiz } = now.current;
    if (doc) saver?.changed(ofEditor(title, doc, quiz), change);
  };
  const changeTitle = (typed: string) => {
    setTitle(typed);
    now.current.title = typed;
    changed({ title: typed });
  };
  const changeQuiz = (changedQuiz: AuthorQuiz) => {
    setQuiz(changedQuiz);
    now.current.quiz = changedQuiz;
    // A page whose text cannot be read is saved without it: only what changed is sent.
    const { title, doc } = now.current;
    saver?.changed(doc ? ofEditor(title, doc, changedQuiz) : { ...ofServer(page), quiz: changedQuiz }, null);
  };
  /** Puts a whole text in. `fromServer`: it is what the server holds. */
  const replace = (
    text: { title?: string | null; content: unknown; quiz?: unknown },
    fromServer: boolean,
  ) => {
    setTitle(text.title ?? "");
    now.current.title = text.title ?? "";
    if (text.quiz !== undefined) {
      setQuiz(text.quiz);
      setQuizRevision((count) => count + 1);
      now.current.quiz = text.quiz;
    }
    content.current?.replace(text.content, fromServer);
    now.current.doc = content.current?.doc() ?? now.current.doc;
    if (!fromServer) changed(null);
  };

  /** Shows what somebody else has saved. */
  const follow = (theirs: EditedPage) => {
    setTitle(theirs.title ?? "");
    now.current.title = theirs.title ?? "";
    const theirQuiz: unknown = theirs.authorQuiz ?? null;
    if (JSON.stringify(theirQuiz) !== JSON.stringify(now.current.quiz)) {
      setQuiz(theirQuiz);
      setQuizRevision((count) => count + 1);
      now.current.quiz = theirQuiz;
    }
    content.current?.follow(theirs.content);
    now.current.doc = content.current?.doc() ?? now.current.doc;
  };
  const live = useLivePage(page.id, userId, editor, follow);

  useBeforeUnload(() => saver?.isAtRisk ?? false);
  useEffect(() => {
    if (isNew) titleField.current?.focus();
  }, [isNew]);

  const shownTitle = pageTitle({ title: title.trim() || null, number: page.number }, t);
  return (
    <Frame
      breadcrumbs={<PageCrumbs page={page} />}
      page={{ id: page.id, number: page.number, published: published ?? page.published }}
      saver={saver}
      live={live}
      isPreview={isPreview}
      onPreview={(on) => {
        save();
        setPreview(on);
      }}
      onHistory={() => {
        save();
        setDialog("history");
      }}
      title={title}
      titleField={titleField}
      onTitle={changeTitle}
      onLeaveTitle={() => content.current?.focus()}
      onSave={save}
      banner={
        <>
          <title>{`${shownTitle} — ${page.course.title}`}</title>
          <h1 className={frame.unseen}>{shownTitle}</h1>
          {saver && (
            <LeftBehind
              page={page}
              userId={userId}
              onRestore={(text) => {
                replace(text, false);
                save();
              }}
            />
          )}
          {live.isDeleted && <Banner kind="danger" text={t("editor.deleted")} />}
          {trouble?.kind === "conflict" && (
            <Banner text={t("editor.conflict.banner")}>
              <Button onClick={() => setDialog("conflict")}>{t("editor.conflict.open")}</Button>
            </Banner>
          )}
          {trouble?.kind === "refused" && (
            <Banner kind="danger" text={t("editor.refused.banner", { message: trouble.refusal.message })}>
              {blockOf(trouble.refusal.path) !== null && (
                <Button
                  variant="default"
                  onClick={() => content.current?.show(blockOf(trouble.refusal.path) ?? 0)}
                >
                  {t("editor.refused.show")}
                </Button>
              )}
            </Banner>
          )}
          {isAtRisk && <Banner kind="danger" text={t("editor.atRisk")} />}
          {!readable && <Banner kind="danger" text={t("editor.unreadable")} />}
        </>
      }
    >
      {isPreview && (
        <>
          <p className={frame.previewTitle} aria-hidden="true">
            {shownTitle}
          </p>
          <Document content={now.current.doc ? ofEditor(title, now.current.doc).content : page.content} />
        </>
      )}
      {/* Behind the preview the editor stays as it is, with its cursor and all that can be undone. */}
      <div hidden={isPreview} className={isQuiz ? frame.aboveQuiz : undefined}>
        {readable ? (
          <ContentEditor
            pageId={page.id}
            content={page.content}
            isHidden={isPreview}
            handle={content}
            onReady={(doc) => {
              now.current.doc = doc;
            }}
            onChange={(doc, steps) => {
              now.current.doc = doc;
              changed({ steps });
            }}
            onSave={save}
          />
        ) : (
          <Document content={page.content} />
        )}
      </div>
      {isQuiz && (
        <Suspense fallback={<QuizSkeleton />}>
          <QuizBuilder
            pageId={page.id}
            quiz={quiz}
            revision={quizRevision}
            onChange={changeQuiz}
            onSave={save}
            isSaved={isQuizSaved}
            refusal={trouble?.kind === "refused" ? trouble.refusal : null}
            isPublished={published ?? page.published}
            isPreview={isPreview}
          />
        </Suspense>
      )}
      {dialog === "conflict" && trouble?.kind === "conflict" && (
        <ConflictDialog
          mine={saver?.get().waiting ?? null}
          theirs={trouble.stored.text}
          onClose={() => setDialog(null)}
          onKeepMine={() => saver?.tell({ type: "keepMine" })}
          onTakeTheirs={() => {
            saver?.tell({ type: "takeStored" });
            replace(trouble.stored.text, true);
          }}
        />
      )}
      {dialog === "history" && (
        <HistoryDialog
          pageId={page.id}
          onClose={() => setDialog(null)}
          settle={async () => {
            const isDone = saver !== null && (await settled(saver));
            if (!isDone) toastFailure(new Error(t("editor.history.unsaved")));
            return isDone;
          }}
          onRestored={(restored) => {
            saver?.replaced(restored.version, ofServer(restored));
            replace({ ...restored, quiz: restored.authorQuiz ?? null }, true);
            toastSuccess(t("editor.history.restored"));
          }}
        />
      )}
    </Frame>
  );
}

/** The saver of this page and its name, from the first moment the screen is there until all is saved after it was left. */
function useSaver(page: EditedPage, userId: string, now: { current: { title: string } }): OpenEditor | null {
  const client = useApolloClient();
  const { t } = useTranslation();
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const label = useRef(() => ({ page: "", course: "" }));
  label.current = () => ({
    page: pageTitle({ title: now.current.title || null, number: page.number }, t),
    course: page.course.title,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one saver for one page as it was read
  useEffect(() => {
    const { session, close } = openSession();
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const made = new PageSaver({
      version: page.version,
      stored: ofServer(page),
      send: sendPage(client, page.id, session),
      drafts: new DraftKeeper(localStorage, { userId, pageId: page.id, session }, () => label.current()),
      onEnd: () => {
        close();
        ended();
      },
    });
    rememberSaver(page.id, made, end);
    setEditor({ session, saver: made });
    return () => made.leave();
  }, [client, page.id, userId]);
  return editor;
}

/** Resolves to whether everything is on the server. */
async function settled(saver: PageSaver): Promise<boolean> {
  saver.flush();
  const until = Date.now() + 8000;
  while (!isSettled(saver.get()) && standing(saver.get()) === "saving" && Date.now() < until) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 500);
      const stop = saver.subscribe(() => {
        clearTimeout(timer);
        stop();
        resolve();
      });
    });
  }
  return isSettled(saver.get());
}

/** Asks before the window is closed, when that would lose something. */
function useBeforeUnload(isAtRisk: () => boolean): void {
  const ask = useRef(isAtRisk);
  ask.current = isAtRisk;
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => ask.current() && event.preventDefault();
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, []);
}

/** `content.content[3].attrs.src` is about the fourth block. */
function blockOf(path: string | null): number | null {
  const number = /^content\.content\[(\d+)\]/.exec(path ?? "")?.[1];
  return number === undefined ? null : Number(number);
}

function isEmpty(content: unknown): boolean {
  return JSON.stringify(content) === '{"type":"doc","content":[{"type":"paragraph"}]}';
}
