import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect, useState } from "react";
import { OpenComments } from "../comments/openComments";
import { Document } from "../content/Document";
import { takesAttempts } from "../course/takesAttempts";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { Skeleton } from "../reading/Skeleton";
import { placeOf } from "../search/foundPlace";
import { toastProblem } from "../ui/toastProblem";
import { toastSuccess } from "../ui/toasts";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { useMark } from "../unpublished/useMark";
import { ActiveField } from "./activeField";
import { authored } from "./authored";
import { ConflictDialog } from "./ConflictDialog";
import { ContentEditor } from "./ContentEditor";
import { type EditedPage, PageCrumbs } from "./EditPage";
import type { EditSession, EditState } from "./EditSession";
import { Banners } from "./frame/Banners";
import frame from "./frame/Frame.module.css";
import { FrameHead } from "./frame/FrameHead";
import { TitleField } from "./frame/TitleField";
import { HistoryDialog } from "./history/HistoryDialog";
import { useLivePage } from "./live/useLivePage";
import { useActiveField } from "./useActiveField";
import { useEditSession, useOpenSession } from "./useEditSession";

/** Loaded on quiz pages alone. */
const QuizBuilder = lazy(() =>
  withTexts(import("../quiz-builder/QuizBuilder"), "quiz", "quizBuilder", "dates").then(
    ({ QuizBuilder }) => ({
      default: QuizBuilder,
    }),
  ),
);

/** Loaded on the pages of assignments alone. */
const AssignmentBuilder = lazy(() =>
  withTexts(
    import("../quiz-builder/AssignmentBuilder"),
    "quiz",
    "quizBuilder",
    "assignment",
    "dates",
    "forms",
  ).then(({ AssignmentBuilder }) => ({ default: AssignmentBuilder })),
);

interface Props {
  page: EditedPage;
  userId: string;
  /** The thread that the address names. */
  thread: string | undefined;
}

/** Opens a page for editing. */
export function Editing({ page, userId, thread }: Props) {
  const session = useOpenSession(page, userId);
  if (!session) return <Skeleton />;
  return <OpenPage page={page} userId={userId} thread={thread} session={session} />;
}

const chooseReadable = ({ isReadable }: EditState) => ({ isReadable });

/** A page in its session: status and actions, banners, title, text and quiz. */
function OpenPage({ page, userId, thread, session }: Props & { session: EditSession }) {
  const [isPreview, setPreview] = useState(false);
  const [dialog, setDialog] = useState<"conflict" | "history" | null>(null);
  // Without an active field, the toolbar and the menus act on the text of the page.
  const { field, setField, active } = useActiveField();
  const { isReadable } = useEditSession(session, chooseReadable);
  const mark = useMark(page);
  const [comments] = useState(() => new OpenComments(thread));
  const { isOpen: hasComments } = useSelector(comments.state);
  useEffect(() => {
    if (thread) comments.show(thread);
  }, [comments, thread]);
  useEffect(() => {
    // A link of the outline leads to a question by its number, and a search result by its ID.
    const { hash } = window.location;
    const number = /^#question-(\d+)$/.exec(hash)?.[1];
    const id = placeOf(hash)?.questionId;
    if (number) session.showQuestion(Number(number) - 1);
    else if (id) session.showQuestionById(id);
  }, [session]);
  const live = useLivePage(page.id, userId, session);

  const hasQuiz = takesAttempts(page.kind);
  const isBlank = isEmpty(page.content);
  return (
    <article className={frame.frame} data-comments={(hasComments && !isPreview) || undefined}>
      <FrameHead
        session={session}
        page={page}
        mark={mark}
        live={live}
        comments={comments}
        isPreview={isPreview}
        onPreview={(on) => {
          session.save();
          setPreview(on);
        }}
        onHistory={() => {
          session.save();
          setDialog("history");
        }}
      />
      <div className={frame.column}>
        <PageCrumbs page={page} />
        <Heading session={session} courseTitle={page.course.title} />
        <Banners
          session={session}
          page={page}
          userId={userId}
          isDeleted={live.isDeleted}
          isBehind={mark.published && mark.pageDraft?.isBehind === true}
          onConflict={() => setDialog("conflict")}
        />
        {!isPreview && (
          <TitleField session={session} number={page.number} autoFocus={isBlank && page.title === null} />
        )}
        {isPreview && (
          <>
            <p className={frame.previewTitle} aria-hidden="true">
              {session.shownTitle}
            </p>
            <Document content={session.content} />
          </>
        )}
        {/* The editor stays mounted behind the preview, with its cursor and undo history. */}
        <div hidden={isPreview} className={hasQuiz ? frame.aboveQuiz : undefined}>
          {isReadable ? (
            <ContentEditor
              session={session}
              pageId={page.id}
              comments={comments}
              reader={{ userId, courseId: page.course.id, role: page.course.myRole }}
              isHidden={isPreview}
              field={field}
              present={live.present}
              onFocus={() => setField(null)}
              autoFocus={isBlank && page.title !== null && !hasQuiz}
            />
          ) : (
            <Document content={session.content} />
          )}
        </div>
        {hasQuiz && (
          <ActiveField value={active}>
            <Quiz session={session} page={page} isPreview={isPreview} />
          </ActiveField>
        )}
      </div>
      <Dialogs session={session} pageId={page.id} open={dialog} onClose={() => setDialog(null)} />
    </article>
  );
}

const chooseTitle = ({ title }: EditState) => ({ title });

/** The page's title for the window and for assistive technology. */
function Heading({ session, courseTitle }: { session: EditSession; courseTitle: string }) {
  useEditSession(session, chooseTitle);
  const { shownTitle } = session;
  return (
    <>
      <title>{`${shownTitle} — ${courseTitle}`}</title>
      <VisuallyHidden as="h1">{shownTitle}</VisuallyHidden>
    </>
  );
}

const chooseQuiz = ({ quiz, quizRevision, isSettled, problem, wanted }: EditState) => ({
  quiz,
  wanted,
  quizRevision,
  isSettled,
  refusal: problem?.kind === "refused" ? problem.refusal : null,
});

interface QuizProps {
  session: EditSession;
  page: Pick<EditedPage, "id" | "kind" | "course">;
  isPreview: boolean;
}

function Quiz({ session, page, isPreview }: QuizProps) {
  const { quiz, quizRevision, isSettled, refusal, wanted } = useEditSession(session, chooseQuiz);
  const Builder = page.kind === "QUIZ" ? QuizBuilder : AssignmentBuilder;
  return (
    <Suspense fallback={<QuizSkeleton />}>
      <Builder
        courseId={page.course.id}
        pageId={page.id}
        quiz={quiz}
        wanted={wanted}
        revision={quizRevision}
        onChange={session.setQuiz}
        onSave={session.save}
        isSaved={isSettled}
        refusal={refusal}
        isPreview={isPreview}
      />
    </Suspense>
  );
}

const chooseProblem = ({ problem }: EditState) => ({ problem });

interface DialogsProps {
  session: EditSession;
  pageId: string;
  open: "conflict" | "history" | null;
  onClose: () => void;
}

function Dialogs({ session, pageId, open, onClose }: DialogsProps) {
  const { t } = useTranslation();
  const { problem } = useEditSession(session, chooseProblem);
  if (open === "conflict" && problem?.kind === "conflict") {
    return (
      <ConflictDialog
        mine={session.saver.state.get().pending}
        theirs={problem.stored.text}
        onClose={onClose}
        conflict={session.conflict()}
        onMerge={(text) => session.takeMerged(text)}
        onKeepMine={() => session.keepMine()}
        onTakeTheirs={() => session.takeTheirs()}
      />
    );
  }
  if (open !== "history") return null;
  return (
    <HistoryDialog
      pageId={pageId}
      onClose={onClose}
      settle={async () => {
        const isDone = await session.settle();
        if (!isDone) toastProblem(t("editor.history.unsaved"));
        return isDone;
      }}
      onRestored={(restored) => {
        session.showRestored(authored(restored));
        toastSuccess(t("editor.history.restored"));
      }}
    />
  );
}

function isEmpty(content: unknown): boolean {
  return JSON.stringify(content) === '{"type":"doc","content":[{"type":"paragraph"}]}';
}
