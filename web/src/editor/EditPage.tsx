import { useApolloClient } from "@apollo/client/react";
import { Link, Navigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { ApiError } from "../api/apiError";
import { Document } from "../content/Document";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Skeleton } from "../reading/Skeleton";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { authored } from "./authored";
import { EditPageDocument, type EditPageQuery } from "./EditPage.generated";
import { Banner } from "./frame/Banner";
import frame from "./frame/Frame.module.css";
import { finishSaving } from "./openSavers";

/** The page as `authored` returns it. */
export type EditedPage = EditPageQuery["page"];

const Editing = lazy(() => import("./Editing").then(({ Editing }) => ({ default: Editing })));

/** Loaded by those who read and comment. */
const Reviewing = lazy(() =>
  withTexts(import("../comments/Reviewing"), "comments").then(({ Reviewing }) => ({
    default: Reviewing,
  })),
);

interface Props {
  pageId: string;
  /** The thread of comments that the address names. */
  thread: string | undefined;
}

/** The screen of /edit-page/{pageId}. */
export function EditPage({ pageId, thread }: Props) {
  const { data, error, retry } = useFreshPage(pageId);
  if (error) {
    const isUnknown = [404, 422].includes(ApiError.from(error).status);
    return isUnknown ? <NotFoundScreen /> : <LoadFailure error={error} retry={retry} />;
  }
  if (!data) return <Skeleton />;
  const { me } = data;
  const page = authored(data.page);
  switch (page.course.myRole) {
    case "LEARNER":
      return <Navigate to="/view-page/$pageId" params={{ pageId }} replace />;
    case "OWNER":
    case "EDITOR":
      return (
        <Suspense fallback={<Skeleton />}>
          <Editing key={page.id} page={page} userId={me.id} thread={thread} />
        </Suspense>
      );
    case "REVIEWER":
    case "TEACHER":
      return (
        <Suspense fallback={<Skeleton />}>
          <Reviewing key={page.id} page={page} userId={me.id} thread={thread} />
        </Suspense>
      );
    default:
      return <ReadOnly page={page} />;
  }
}

/**
 * Reads the page from the server. The cache may be older, and an editor that starts from an older version conflicts with its own
 * author's last save.
 */
function useFreshPage(pageId: string) {
  const client = useApolloClient();
  const [state, setState] = useState<{ id: string; data?: EditPageQuery; error?: unknown }>({ id: pageId });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request
  useEffect(() => {
    let isCurrent = true;
    // Reopening the page waits for the answer to its last save.
    void finishSaving(pageId)
      .then(() =>
        client.query({ query: EditPageDocument, variables: { id: pageId }, fetchPolicy: "network-only" }),
      )
      .then(
        ({ data, error }) => isCurrent && setState({ id: pageId, ...(data ? { data } : { error }) }),
        (error: unknown) => isCurrent && setState({ id: pageId, error }),
      );
    return () => {
      isCurrent = false;
    };
  }, [client, pageId, attempt]);
  const retry = () => {
    setState({ id: pageId });
    setAttempt(attempt + 1);
  };
  return state.id === pageId ? { ...state, retry } : { data: undefined, error: undefined, retry };
}

/** The page for superusers, who neither edit it nor comment on it. */
function ReadOnly({ page }: { page: EditedPage }) {
  const { t } = useTranslation();
  const title = pageTitle(page, t);
  return (
    <article className={frame.column}>
      <title>{`${title} — ${page.course.title}`}</title>
      <PageCrumbs page={page} />
      <Banner kind="note" text={t("editor.readOnly")} />
      <h1 className={frame.previewTitle}>{title}</h1>
      <Document content={page.content} />
    </article>
  );
}

/** Breadcrumbs: course, module, lesson. */
export function PageCrumbs({ page: { course, lesson } }: { page: Pick<EditedPage, "course" | "lesson"> }) {
  return (
    <Breadcrumbs>
      <Link to="/edit-course/$courseId" params={{ courseId: course.id }}>
        {course.title}
      </Link>
      {lesson.module.title !== lesson.title && lesson.module.title}
      {lesson.title}
    </Breadcrumbs>
  );
}
