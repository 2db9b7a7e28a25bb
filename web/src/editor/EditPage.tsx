import { useApolloClient } from "@apollo/client/react";
import { Link, Navigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { Document } from "../content/Document";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { addWords } from "../i18n";
import { editor } from "../i18n/ru/editor";
import { pageTitle } from "../reading/pageTitle";
import { Skeleton } from "../reading/Skeleton";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { EditPageDocument, type EditPageQuery } from "./EditPage.generated";
import { Banner } from "./frame/Banner";
import frame from "./frame/Frame.module.css";
import { settledSaver } from "./savers";

addWords({ editor });

export type EditedPage = EditPageQuery["page"];

const Editing = lazy(() => import("./Editing").then(({ Editing }) => ({ default: Editing })));

/** The screen of /edit-page/{pageId}. */
export function EditPage({ pageId }: { pageId: string }) {
  const { data, error, retry } = useFreshPage(pageId);
  if (error) {
    const isUnknown = [404, 422].includes(ApiError.from(error).status);
    return isUnknown ? <NotFoundScreen /> : <LoadFailure error={error} retry={retry} />;
  }
  if (!data) return <Skeleton />;
  const { page, me } = data;
  switch (page.course.myRole) {
    case "LEARNER":
      return <Navigate to="/view-page/$pageId" params={{ pageId }} replace />;
    case "OWNER":
    case "EDITOR":
      return (
        <Suspense fallback={<Skeleton />}>
          <Editing key={page.id} page={page} userId={me.id} />
        </Suspense>
      );
    default:
      return <ReadOnly page={page} />;
  }
}

/**
 * The page as the server holds it at this moment. What the cache knows may be older, and an editor that begins with it would end in
 * a conflict with its own author.
 */
function useFreshPage(pageId: string) {
  const client = useApolloClient();
  const [state, setState] = useState<{ id: string; data?: EditPageQuery; error?: unknown }>({ id: pageId });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks once more
  useEffect(() => {
    let isCurrent = true;
    // Who comes back before the last save has its answer waits for it.
    void settledSaver(pageId)
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

/** For teachers and for the site's superusers. */
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

/** Course, module, lesson: where the page is. */
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
