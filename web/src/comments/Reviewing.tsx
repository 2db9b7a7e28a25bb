import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Document } from "../content/Document";
import { pageTitle } from "../course/pageTitle";
import { authored } from "../editor/authored";
import { blocksOf } from "../editor/compare/diffBlocks";
import { type EditedPage, PageCrumbs } from "../editor/EditPage";
import { EditPageDocument } from "../editor/EditPage.generated";
import { Banner } from "../editor/frame/Banner";
import frame from "../editor/frame/Frame.module.css";
import { useEditTop } from "../editor/frame/useEditTop";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { CommentsButton } from "./CommentsButton";
import { CommentsPanel } from "./CommentsPanel";
import { Layer } from "./Layer";
import { OpenComments, shortened } from "./openComments";
import classes from "./Reviewing.module.css";
import { SelectionButton } from "./SelectionButton";
import { scrollToBlock } from "./scrollToBlock";
import { textIn } from "./shownText";
import { countsOf, marksOf, openOf, type Role, type Thread } from "./threads";
import { useLayerTexts } from "./useLayerTexts";
import { useThreadActions } from "./useThreadActions";
import { useThreads } from "./useThreads";

/** Loaded on the pages of quizzes and assignments alone. */
const ReviewedQuiz = lazy(() =>
  withTexts(import("./ReviewedQuiz"), "quiz", "quizBuilder", "banks", "compare").then(({ ReviewedQuiz }) => ({
    default: ReviewedQuiz,
  })),
);

interface Props {
  page: EditedPage;
  userId: string;
  /** The thread that the address names. */
  thread: string | undefined;
}

const NONE: readonly Thread[] = [];

/** A page for those who read and comment but do not change it: reviewers and teachers. */
export function Reviewing({ page: opened, userId, thread }: Props) {
  const { t } = useTranslation();
  const { page, refresh } = useLatest(opened);
  const [comments] = useState(() => new OpenComments(thread));
  useEffect(() => {
    if (thread) comments.show(thread);
  }, [comments, thread]);
  const { isOpen, started } = useSelector(comments.state);
  const loaded = useThreads(page.id, { onText: refresh });
  const { stored, load } = loaded;
  const threads = loaded.threads ?? NONE;
  const isStale = stored !== null && stored.version !== page.version;
  useEffect(() => {
    if (isStale) refresh();
  }, [isStale, refresh]);
  const places = stored?.places ?? new Map<string, number | null>();
  const [active, setActive] = useState<string | null>(null);
  const actions = useThreadActions({
    pageId: page.id,
    load,
    text: { settled: async () => page.version },
  });
  const openCount = loaded.threads && openOf(loaded.threads).length;
  useEffect(() => {
    if (openCount !== undefined) comments.setCount(openCount);
  }, [comments, openCount]);

  const head = useEditTop();
  const button = useRef<HTMLButtonElement>(null);
  const [holder, setHolder] = useState<HTMLElement | null>(null);
  const text = useMemo(() => holder && textIn(holder, page.content), [holder, page.content]);
  const reader = { userId, courseId: page.course.id, role: page.course.myRole as Role };
  const title = pageTitle(page, t);
  const texts = useLayerTexts();
  const marks = marksOf(threads, places);
  return (
    <article className={frame.frame} data-comments={isOpen || undefined}>
      <title>{`${title} — ${page.course.title}`}</title>
      <div ref={head} className={frame.head}>
        <p className={classes.state}>{t(page.published ? "editor.published" : "editor.draft")}</p>
        <div className={frame.actions}>
          <CommentsButton ref={button} comments={comments} />
        </div>
      </div>
      <div className={frame.column}>
        <PageCrumbs page={page} />
        <Banner kind="note" text={t(page.pageDraft ? "comments.reviewer.draft" : "comments.reviewer.note")} />
        <h1 className={frame.previewTitle}>{title}</h1>
        <div className={classes.text}>
          <div ref={setHolder}>
            <Document content={page.content} atOnce={thread !== undefined} />
          </div>
          {text && (
            <Layer
              text={text}
              texts={texts}
              marks={countsOf(marks)}
              active={started?.place?.block ?? (isOpen && active ? (places.get(active) ?? null) : null)}
              cursor={null}
              onOpen={(block) => comments.showFirst(marks, block)}
              onStart={(block) => comments.start({ block, quote: shortened(text.wordsOf(block)) })}
            />
          )}
        </div>
        {text && <SelectionButton text={text} label={t("comments.add")} onStart={comments.start} />}
        {page.authorQuiz !== null && page.kind !== "CONTENT" && (
          <Suspense fallback={<QuizSkeleton />}>
            <ReviewedQuiz quiz={page.authorQuiz} />
          </Suspense>
        )}
      </div>
      {isOpen && (
        <CommentsPanel
          comments={comments}
          pageId={page.id}
          reader={reader}
          loaded={loaded}
          places={places}
          actions={actions}
          text={text}
          active={active}
          onActive={setActive}
          onPlace={(block) => scrollToBlock(text?.blockAt(block) ?? null)}
          blockAt={({ block }) => blocksOf(page.content)[block] ?? null}
          onClose={() => {
            comments.close();
            button.current?.focus();
          }}
        />
      )}
    </article>
  );
}

/** The page as its authors have it now; `refresh` reads it again. */
function useLatest(opened: EditedPage): { page: EditedPage; refresh: () => void } {
  const client = useApolloClient();
  const [page, setPage] = useState(opened);
  const { id } = opened;
  const refresh = useCallback(() => {
    client.query({ query: EditPageDocument, variables: { id }, fetchPolicy: "network-only" }).then(
      ({ data }) => data && setPage(authored(data.page)),
      () => {
        // If the request fails, the shown text stays, and the next change requests it again.
      },
    );
  }, [client, id]);
  return { page, refresh };
}
