import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { dateAndTime } from "../editor/dateAndTime";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Look } from "../outline/look";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { EmptyState } from "../ui/EmptyState";
import { RadioGroup } from "../ui/RadioGroup";
import { Tag } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CourseThreadsDocument, type CourseThreadsQuery } from "./CommentsTab.generated";
import classes from "./CommentsTab.module.css";
import { CommentText } from "./CommentText";
import { IconComment } from "./IconComment";
import { nameOf } from "./threads";

type Listed = CourseThreadsQuery["course"]["commentThreads"]["nodes"][number];

const MINE = "mine";

interface Props {
  courseId: string;
  /** The search parameters: whether resolved threads are shown (as the view), and those that mention the user (as the part). */
  look: Look;
}

/** The tab with the threads of all pages of a course, the newest activity first. */
export default function CommentsTab({ courseId, look }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isOnline = useOnline();
  const view = look.view === "resolved" ? "resolved" : "open";
  const mentioningMe = look.part === MINE;
  const state = view === "resolved" ? ("RESOLVED" as const) : ("OPEN" as const);
  const latest = useQuery(CourseThreadsDocument, {
    variables: { courseId, state, mentioningMe, after: null },
    fetchPolicy: "cache-and-network",
  });
  const { data, error, refetch, fetchMore } = latest;
  useReadAgain(refetch);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const threads = data?.course.commentThreads;

  const show = (changed: { view?: string; part?: string | undefined }) => {
    const next = { view, part: look.part, ...changed };
    void navigate({
      to: "/edit-course/$courseId",
      params: { courseId },
      search: {
        tab: "comments",
        ...(next.view === "resolved" && { view: "resolved" }),
        ...(next.part === MINE && { part: MINE }),
      },
      resetScroll: false,
    });
  };
  const more = async () => {
    setLoadingMore(true);
    try {
      await fetchMore({
        variables: { after: threads?.pageInfo.endCursor ?? null },
        updateQuery: (before, { fetchMoreResult }) => {
          const known = new Set(before.course.commentThreads.nodes.map(({ id }) => id));
          const added = fetchMoreResult.course.commentThreads;
          const nodes = [
            ...before.course.commentThreads.nodes,
            // A thread that got a comment between two requests is in both pages.
            ...added.nodes.filter(({ id }) => !known.has(id)),
          ];
          return { ...before, course: { ...before.course, commentThreads: { ...added, nodes } } };
        },
      });
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setLoadingMore(false);
    }
  };
  const empty = mentioningMe ? "emptyMine" : view === "open" ? "emptyOpen" : "emptyResolved";
  return (
    <section className={classes.tab} aria-label={t("comments.list.title")}>
      <div className={classes.filters}>
        <RadioGroup
          label={t("comments.list.state")}
          value={view}
          onChange={(view) => show({ view })}
          options={(["open", "resolved"] as const).map((value) => ({
            value,
            label: t(`comments.list.${value}`),
          }))}
        />
        <Checkbox
          label={t("comments.list.mine")}
          checked={mentioningMe}
          onChange={(event) => show({ part: event.currentTarget.checked ? MINE : undefined })}
        />
      </div>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("comments.list.offline")}
        </p>
      )}
      {!threads ? (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="h2"
          loading={<ListSkeleton rows={4} height="5.5rem" />}
        />
      ) : threads.nodes.length === 0 ? (
        <EmptyState icon={<IconComment size={28} />} title={t(`comments.list.${empty}`)} heading="h2">
          {t(`comments.list.${empty}Text`)}
        </EmptyState>
      ) : (
        <>
          <p className={classes.count} role="status">
            {t("comments.list.count", { count: threads.totalCount })}
          </p>
          <ul className={classes.list} aria-label={t("comments.list.label")}>
            {threads.nodes.map((thread) => (
              <ThreadRow key={thread.id} thread={thread} />
            ))}
          </ul>
          {threads.pageInfo.hasNextPage && (
            <Button variant="default" loading={isLoadingMore} onClick={() => void more()}>
              {t("comments.list.more")}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

/** A thread by its page, its first words and its newest comment. */
function ThreadRow({ thread }: { thread: Listed }) {
  const { t, i18n } = useTranslation();
  const { page, comments, anchor, suggestion, isUnread } = thread;
  const title = pageTitle(page, t);
  const newest = comments.at(-1);
  const answers = comments.length - 1;
  return (
    <li className={classes.row}>
      <p className={classes.page}>
        <Link
          to="/edit-page/$pageId"
          params={{ pageId: page.id }}
          search={{ thread: thread.id }}
          className={classes.link}
          aria-label={t("comments.list.openThread", { page: title })}
        >
          {title}
        </Link>
        <span className={classes.dim}>{page.lesson.title}</span>
        {isUnread && <Tag>{t("comments.unread")}</Tag>}
        {suggestion && <Tag quiet>{t(`comments.suggestion.state.${suggestion.state}`)}</Tag>}
      </p>
      {anchor && (
        <p className={classes.quote}>
          <q>{anchor.quote || t("comments.noWords")}</q>
        </p>
      )}
      {newest && (
        <>
          <p className={classes.dim}>
            {nameOf(newest.author, t)}, {dateAndTime(newest.createdAt, i18n.language, t)}
            {answers > 0 && ` · ${t("comments.list.answers", { count: answers })}`}
          </p>
          <div className={classes.text}>
            <CommentText text={newest.text} mentions={newest.mentions} />
          </div>
        </>
      )}
    </li>
  );
}
