import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { NoteColor } from "../api/schema.generated";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconDownload } from "../ui/laterIcons";
import { Screen } from "../ui/Screen";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { deleteNote } from "./actions";
import { grouped, type NotedPage, type NotesSearch } from "./list";
import { NoteCard } from "./NoteCard";
import { CourseNotesDocument, NotesMarkdownDocument } from "./Notes.generated";
import classes from "./NotesScreen.module.css";
import { COLORS } from "./note";

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
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const color: NoteColor | undefined = COLORS.find((one) => one === search.color);
  const words = typeof search.q === "string" ? search.q : "";
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
  const found = (data ?? previousData)?.courseNotes;
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
  const shown = notes.nodes.filter(({ id }) => !removed.has(id));
  const download = async () => {
    setBusy(true);
    try {
      const answer = await client.query({
        query: NotesMarkdownDocument,
        variables: { courseId },
        fetchPolicy: "network-only",
      });
      if (answer.data) save(answer.data.courseNotes.markdown, `${course?.title ?? title}.md`);
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  const isFiltered = words !== "" || color !== undefined;
  const isEmpty = notes.totalCount === 0 && !isFiltered;
  return (
    <Screen
      title={title}
      trail={
        course && (
          <Breadcrumbs>
            <Link to="/view-course/$courseId" params={{ courseId }}>
              {course.title}
            </Link>
          </Breadcrumbs>
        )
      }
      lead={t(course ? "notes.lead" : "notes.left")}
      action={
        !isEmpty && (
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
              onSearch={(q) => change({ q: q || undefined })}
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
          <p role="status" className={classes.count}>
            {t("notes.count", { count: Math.max(0, notes.totalCount - removed.size) })}
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
                      userId={userId}
                      onShow={
                        page
                          ? () =>
                              void navigate({
                                to: "/view-page/$pageId",
                                params: { pageId: page.id },
                                search: { note: note.id },
                              })
                          : undefined
                      }
                      onDelete={() => {
                        setRemoved((all) => new Set([...all, note.id]));
                        deleteNote(client, note, () =>
                          setRemoved((all) => new Set([...all].filter((id) => id !== note.id))),
                        );
                      }}
                    />
                  ))}
                </div>
              ))}
            </section>
          ))}
          {notes.pageInfo.hasNextPage && (
            <Button
              variant="default"
              onClick={() =>
                void fetchMore({
                  variables: { ...variables, after: notes.pageInfo.endCursor },
                  updateQuery: (before, { fetchMoreResult: { courseNotes: more } }) => ({
                    courseNotes: {
                      ...more,
                      notes: {
                        ...more.notes,
                        nodes: [...before.courseNotes.notes.nodes, ...more.notes.nodes],
                      },
                    },
                  }),
                }).catch(toastFailure)
              }
            >
              {t("notes.more")}
            </Button>
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

/** Saves a text as a file of the device. */
function save(text: string, name: string) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
