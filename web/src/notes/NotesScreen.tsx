import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import type { NoteColor } from "../api/schema.generated";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { hiddenItems } from "../ui/hiddenItems";
import { IconDownload } from "../ui/laterIcons";
import { Screen } from "../ui/Screen";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { saveFile } from "../ui/saveFile";
import { toastFailure } from "../ui/toasts";
import { deleteNote } from "./actions";
import { clipped, grouped, type NotedPage, type NotesSearch, reachOf, withMore } from "./list";
import { NoteCard } from "./NoteCard";
import { CourseNotesDocument, NotesMarkdownDocument } from "./Notes.generated";
import classes from "./NotesScreen.module.css";
import { COLORS, type Note } from "./note";

interface Props {
  courseId: string;
  search: NotesSearch;
}

/** The screen at /view-course/{courseId}/notes: the reader's notes and bookmarks in a course. */
export function NotesScreen({ courseId, search }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const userId = useQuery(MeDocument).data?.me.id;
  const hidden = useSelector(hiddenItems);
  const [isBusy, setBusy] = useState(false);
  const color: NoteColor | undefined = COLORS.find((one) => one === search.color);
  const words = typeof search.q === "string" ? clipped(search.q) : "";
  const variables = { courseId, color: color ?? null, search: words || null };
  const { data, previousData, error, refetch, fetchMore } = useQuery(CourseNotesDocument, {
    variables,
    fetchPolicy: "cache-and-network",
  });
  const title = t("notes.screen");
  const change = (to: NotesSearch) =>
    void navigate({
      to: "/view-course/$courseId/notes",
      params: { courseId },
      search: { ...search, ...to },
      replace: true,
    });
  // While another filter is answered, its field keeps the focus and the list stays.
  const found = (data ?? previousData)?.courseNotes;
  const isStale = data === undefined;
  if (!found || userId === undefined)
    return (
      <Screen title={title}>
        {error ? (
          <LoadFailure
            error={error}
            retry={() => void refetch()}
            notFound={t("notes.notFound")}
            heading="h2"
          />
        ) : (
          <ListSkeleton rows={4} height="6rem" />
        )}
      </Screen>
    );
  const { course, bookmarks, notes } = found;
  const shown = notes.nodes.filter(({ id }) => !hidden.has(id));
  const { count, after } = reachOf(notes, hidden);
  const download = async () => {
    setBusy(true);
    try {
      const answer = await client.query({
        query: NotesMarkdownDocument,
        variables: { courseId },
        fetchPolicy: "network-only",
      });
      const name = (course?.title ?? title).replaceAll(/[\\/:*?"<>|]/g, "_");
      if (answer.data) saveFile(`${name}.md`, "text/markdown", answer.data.courseNotes.markdown);
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  const show = (page: NotedPage, note: Note) =>
    void navigate({ to: "/view-page/$pageId", params: { pageId: page.id }, search: { note: note.id } });
  const isFiltered = words !== "" || color !== undefined;
  const isEmpty = count === 0 && !isFiltered && !isStale;
  return (
    <Screen
      title={title}
      trail={
        <Breadcrumbs>
          <Link to="/notes">{t("notes.courses.all")}</Link>
          {course && (
            <Link to="/view-course/$courseId" params={{ courseId }}>
              {course.title}
            </Link>
          )}
        </Breadcrumbs>
      }
      lead={t(course ? "notes.lead" : "notes.left")}
      action={
        (!isEmpty || bookmarks.length > 0) && (
          <Button
            variant="default"
            icon={<IconDownload size={18} />}
            loading={isBusy}
            onClick={() => void download()}
          >
            {t("notes.download")}
          </Button>
        )
      }
    >
      {bookmarks.length > 0 && (
        <section className={classes.section}>
          <h2 className={classes.heading}>{t("notes.bookmarks")}</h2>
          <ul className={classes.bookmarks}>
            {bookmarks.map((page) => (
              <li key={page.id}>
                <PageLink page={page} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isEmpty ? (
        <EmptyState title={t("notes.none")} heading="h2">
          {t("notes.noneText")}
        </EmptyState>
      ) : (
        <>
          <div className={classes.filters}>
            <SearchField
              label={t("notes.search")}
              value={words}
              onSearch={(q) => change({ q: clipped(q) || undefined })}
            />
            <Select
              label={t("notes.color")}
              value={color ?? ""}
              options={[
                { value: "", label: t("notes.anyColor") },
                ...COLORS.map((one) => ({ value: one, label: t(`notes.colors.${one}`) })),
              ]}
              onChange={({ target }) => change({ color: target.value || undefined })}
            />
          </div>
          {error && isStale ? (
            <LoadFailure error={error} retry={() => void refetch()} heading="p" />
          ) : (
            <div className={classes.list} aria-busy={isStale}>
              <p role="status" className={classes.count}>
                {isStale ? "\u00a0" : t("notes.count", { count })}
              </p>
              {grouped(shown).map(({ module, pages }) => (
                <section key={module?.id ?? "none"} className={classes.section}>
                  <h2 className={classes.heading}>{module?.title ?? t("notes.unseen")}</h2>
                  {pages.map(({ page, notes: own }) => (
                    <div key={page?.id ?? "none"} className={classes.page}>
                      {page && (
                        <h3 className={classes.pageTitle}>
                          <PageLink page={page} />
                        </h3>
                      )}
                      {own.map((note) => (
                        <NoteCard
                          key={note.id}
                          note={note}
                          courseId={courseId}
                          userId={userId}
                          onShow={page ? () => show(page, note) : undefined}
                          onDelete={() => deleteNote(client, note)}
                        />
                      ))}
                    </div>
                  ))}
                </section>
              ))}
              {notes.pageInfo.hasNextPage && (
                <Button
                  variant="default"
                  disabled={isStale}
                  onClick={() =>
                    void fetchMore({
                      variables: { ...variables, after },
                      updateQuery: (before, { fetchMoreResult: { courseNotes: more } }) => ({
                        courseNotes: { ...more, notes: withMore(before.courseNotes.notes, more.notes) },
                      }),
                    }).catch(toastFailure)
                  }
                >
                  {t("notes.more")}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </Screen>
  );
}

function PageLink({ page }: { page: NotedPage }) {
  const { t } = useTranslation();
  return (
    <Link to="/view-page/$pageId" params={{ pageId: page.id }} className={classes.link}>
      {pageTitle(page, t)}
      <span className={classes.lesson}>{page.lesson.title}</span>
    </Link>
  );
}
