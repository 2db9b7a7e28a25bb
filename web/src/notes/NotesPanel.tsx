import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { newId } from "../ui/newId";
import { ListSkeleton } from "../ui/Skeletons";
import { deleteNote } from "./actions";
import { dropDraft, newDrafts } from "./drafts";
import { IconNotes } from "./icons";
import { NewNote } from "./NewNote";
import { NoteCard } from "./NoteCard";
import classes from "./NotesPanel.module.css";
import type { NewPlace, Note } from "./note";

/** What is open in the panel: the list, one of its notes, or a new note, which is a draft with an id. */
export type Opened = { note: string | null } | { place: NewPlace | null; draft: string };

/** A new note of words, or of the whole page for null. What was typed about the same place before is continued. */
export function openNew(userId: string, pageId: string, place: NewPlace | null): Opened {
  const same = newDrafts(userId, pageId).find(({ draft }) => isSamePlace(draft.place ?? null, place));
  return { place, draft: same?.id ?? newId() };
}

const isSamePlace = (one: NewPlace | null, other: NewPlace | null) =>
  one?.version === other?.version &&
  one?.block === other?.block &&
  one?.start === other?.start &&
  one?.quote === other?.quote;

interface Props {
  page: { id: string; version: number; content: unknown; course: { id: string } };
  userId: string;
  /** Null until they are known. */
  notes: readonly Note[] | null;
  error: unknown;
  retry: () => void;
  opened: Opened;
  onOpen: (opened: Opened) => void;
  onShow: (note: Note) => void;
  onClose: () => void;
}

/** The notes of a page as a list, one of them, or a new one. */
export function NotesPanel(props: Props) {
  const { t } = useTranslation();
  const { page, userId, opened, onOpen, onClose } = props;
  // These are separate dialogs, so each takes the focus when it opens.
  if ("place" in opened)
    return (
      <Dialog key="new" open title={t("notes.new")} onClose={onClose}>
        <NewNote
          key={opened.draft}
          page={page}
          userId={userId}
          draftKey={`new:${page.id}:${opened.draft}`}
          place={opened.place}
          onSaved={onClose}
          onCancel={() => onOpen({ note: null })}
        />
      </Dialog>
    );
  return (
    <Dialog key="list" open title={t("notes.title")} onClose={onClose}>
      <List {...props} chosen={opened.note} />
    </Dialog>
  );
}

function List(props: Props & { chosen: string | null }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { page, userId, notes, error, retry, onOpen, onShow, onClose } = props;
  const [drafts, setDrafts] = useState(() => newDrafts(userId, page.id));
  const chosen = props.chosen === null ? undefined : notes?.find(({ id }) => id === props.chosen);
  const shown = chosen ? [chosen] : notes;
  return (
    <div className={classes.panel}>
      {!chosen &&
        drafts.map(({ id, draft }) => (
          <article key={id} className={classes.draft} aria-label={t("notes.draft")}>
            <p className={classes.empty}>{t("notes.draft")}</p>
            {draft.place && <blockquote className={classes.quote}>{draft.place.quote}</blockquote>}
            <p className={classes.draftText}>{draft.body}</p>
            <div className={classes.actions}>
              <Button
                variant="subtle"
                size="compact"
                onClick={() => onOpen({ place: draft.place ?? null, draft: id })}
              >
                {t("notes.continueDraft")}
              </Button>
              <Button
                variant="subtle"
                size="compact"
                onClick={() => {
                  dropDraft(userId, `new:${page.id}:${id}`);
                  setDrafts(newDrafts(userId, page.id));
                }}
              >
                {t("notes.dropDraft")}
              </Button>
            </div>
          </article>
        ))}
      {shown?.map((note) => (
        <NoteCard
          key={note.id}
          note={note}
          courseId={page.course.id}
          userId={userId}
          onShow={note.place?.version === page.version ? () => onShow(note) : undefined}
          onDelete={() => {
            deleteNote(client, note);
            if (chosen) onClose();
          }}
        />
      ))}
      {!notes &&
        (error ? (
          <LoadFailure error={error} retry={retry} heading="p" />
        ) : (
          <ListSkeleton rows={2} height="5rem" />
        ))}
      {notes?.length === 0 && <p className={classes.empty}>{t("notes.empty")}</p>}
      <div className={classes.actions}>
        {chosen && (
          <Button variant="subtle" onClick={() => onOpen({ note: null })}>
            {t("notes.all")}
          </Button>
        )}
        <Button
          variant="default"
          icon={<IconNotes size={18} />}
          onClick={() => onOpen(openNew(userId, page.id, null))}
        >
          {t("notes.aboutPage")}
        </Button>
        <Link
          to="/view-course/$courseId/notes"
          params={{ courseId: page.course.id }}
          className={classes.link}
        >
          {t("notes.ofCourse")}
        </Link>
      </div>
    </div>
  );
}
