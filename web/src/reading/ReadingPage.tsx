import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { Document } from "../content/Document";
import { pageTitle } from "../course/pageTitle";
import { isStuck } from "../course/stuck";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { Breadcrumbs } from "./Breadcrumbs";
import { ReadingPageDocument, type ReadingPageQuery } from "./ReadingPage.generated";
import styles from "./ReadingPage.module.css";
import { Skeleton } from "./Skeleton";
import type { LaterProps } from "./tools/Later";
import { useArrowKeys } from "./useArrowKeys";
import { useFreshPage } from "./useFreshPage";
import { useReachedEnd } from "./useReachedEnd";
import { useReadingPosition } from "./useReadingPosition";
import { recordVisit, useIsVisitUnsent } from "./visits";

/** Loaded on the pages of quizzes and assignments alone. */
const AttemptPart = lazy(() => withTexts(import("../quiz/AttemptPart"), "quiz", "dates"));

const LockedPage = lazy(() => withTexts(import("./LockedPage"), "dates"));

/** A page can be read without its times, its notes, its contents, its end and the like. */
const nothing = () => ({ default: () => <></> });
const PageTimes = lazy(() => withTexts(import("./PageTimes"), "dates").catch(nothing));
const PageNotes = lazy(() => withTexts(import("./PageNotes"), "learning").catch(nothing));
const LaterPart = lazy(() => withTexts(import("./tools/Later"), "onPage", "learning").catch(nothing));

function Later(props: LaterProps) {
  return (
    <Suspense fallback={null}>
      <LaterPart {...props} />
    </Suspense>
  );
}

export type Page = ReadingPageQuery["page"];

/** The screen of /view-page/{pageId}. */
export function ReadingPage({ pageId }: { pageId: string }) {
  const { data, error, refetch } = useQuery(ReadingPageDocument, { variables: { id: pageId } });
  const lastShown = useRef<string>(null);
  useFreshPage(pageId);
  if (error && !data) {
    const { status } = ApiError.from(error);
    // An invalid id (422) is shown like a deleted page (404).
    if (status === 404 || status === 422) return <NotFoundScreen />;
    const retry = () => refetch();
    if (status !== 409) return <LoadFailure error={error} retry={retry} />;
    return (
      <Suspense fallback={<Skeleton />}>
        <LockedPage key={pageId} pageId={pageId} lastShown={lastShown} onOpen={retry} />
      </Suspense>
    );
  }
  if (!data) return <Skeleton />;
  return <LoadedPage key={pageId} page={data.page} lastShown={lastShown} />;
}

interface LoadedPageProps {
  page: Page;
  /** Id of the page shown before on this screen; null for the first one. */
  lastShown: RefObject<string | null>;
}

function LoadedPage({ page, lastShown }: LoadedPageProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const { course, lesson, previousPage } = page;
  const isNextLocked = page.nextPage?.timeline.state === "LOCKED";
  // On the last page of the course, the link leads to the first unfinished page.
  const nextPage = isNextLocked ? null : (page.nextPage ?? leftPage(page));
  const title = pageTitle(page, t);
  // Staff who are not enrolled see a preview: the server refuses their visits.
  const isPreview = course.enrollment === null;
  const [wasLessonDone] = useState(lesson.isCompleted);
  const isCourseDone = isDone(course.progress);
  const [wasCourseDone] = useState(isCourseDone);

  // Shown only on the page whose visit completed the course, as long as it stays open.
  const courseDone = isCourseDone && !wasCourseDone;
  const hasAttempts = page.kind !== "CONTENT";
  const visit = () => {
    if (!isPreview && !page.isVisited)
      void recordVisit(client, { pageId: page.id, courseId: course.id, version: page.version });
  };
  const { opensInside, isResumed, finished, forget } = useReadingPosition(page, content);
  const finish = () => {
    visit();
    forget();
  };
  useReachedEnd(end, finish);
  useArrowKeys((direction) => {
    const to = direction === "next" ? nextPage : previousPage;
    if (!to) return;
    if (direction === "next") finish();
    void navigate({ to: "/view-page/$pageId", params: { pageId: to.id } });
  });
  useEffect(() => {
    // After a change of page the keyboard and the screen reader continue at the new title.
    if (lastShown.current && lastShown.current !== page.id) heading.current?.focus({ preventScroll: true });
    lastShown.current = page.id;
  }, [page.id, lastShown]);

  return (
    <article className={styles.page}>
      <title>{`${title} — ${course.title}`}</title>
      <Breadcrumbs course={course} module={lesson.module} lesson={lesson} />
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {title}
      </h1>
      <div className={hasAttempts ? undefined : styles.meta}>
        <Later part="tools" page={page} content={content} finished={finished} isResumed={isResumed} />
      </div>
      {(isPreview || !page.published || page.changeSinceRead) && (
        <div className={styles[page.changeSinceRead ? "changed" : "note"]}>
          <Suspense fallback={"\u00a0"}>
            <PageNotes page={page} />
          </Suspense>
        </div>
      )}
      {page.timeline.dueAt && !hasAttempts && (
        <Suspense fallback={<div className={styles.times}>{"\u00a0"}</div>}>
          <PageTimes page={page} />
        </Suspense>
      )}
      <div ref={content}>
        <Document content={page.content} atOnce={opensInside} />
      </div>
      {hasAttempts && (
        <Suspense fallback={<QuizSkeleton />}>
          <AttemptPart
            kind={page.kind}
            pageId={page.id}
            isPreview={isPreview}
            outcome={courseDone && <Later part="moment" page={page} />}
            nextPage={nextPage}
            onNext={finish}
          />
        </Suspense>
      )}
      <div ref={end} className={styles.end} />
      {/* Always rendered: screen readers ignore a live region that appears together with its text. */}
      <div role="status" className={styles.status}>
        <Later
          part="end"
          page={page}
          lessonDone={!wasLessonDone && lesson.isCompleted}
          courseDone={courseDone && !hasAttempts}
          isDone={isCourseDone && (courseDone || page.nextPage === null)}
          visitUnsent={useIsVisitUnsent(page.id)}
        />
      </div>
      <nav aria-label={t("reading.pages")} className={styles.pages}>
        {(["previous", "next"] as const).map((direction) => {
          const isNext = direction === "next";
          const neighbour = isNext ? nextPage : previousPage;
          return (
            neighbour && (
              <Link
                key={direction}
                to="/view-page/$pageId"
                params={{ pageId: neighbour.id }}
                rel={isNext ? "next" : "prev"}
                className={styles[direction]}
                onClick={() => isNext && finish()}
              >
                <span className={styles.direction}>{t(`reading.${direction}`)}</span>
                <span className={styles.name}>{pageTitle(neighbour, t)}</span>
              </Link>
            )
          );
        })}
        {isNextLocked && (
          <p className={styles.locked}>
            <span className={styles.direction}>{t("course.pageStates.locked")}</span>
            <span className={styles.name}>{page.nextPage && pageTitle(page.nextPage, t)}</span>
          </p>
        )}
      </nav>
      <Later part="below" page={page} next={nextPage} content={content} />
    </article>
  );
}

/** The page where the learner continues after the last one; null when that is this page, or takes no work now. */
function leftPage({ id, course }: Page) {
  const left = course.enrollment?.nextPage;
  return left && left.id !== id && !isStuck(left) ? left : null;
}

function isDone(progress: Page["course"]["progress"]): boolean {
  return progress.pagesTotal > 0 && progress.pagesDone === progress.pagesTotal;
}
