import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ListSkeleton } from "../ui/Skeletons";
import { createNote, deleteNote } from "./actions";
import { IconNotes } from "./icons";
import { NoteCard } from "./NoteCard";
import { NoteForm } from "./NoteForm";
import classes from "./NotesPanel.module.css";
import type { NewPlace, Note } from "./note";
import type { Opened } from "./PageKept";

interface Props {
  page: { id: string; course: { id: string } };
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
export function NotesPanel({ page, userId, notes, error, retry, opened, onOpen, onShow, onClose }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  if ("place" in opened)
    return (
      <Dialog open title={t("notes.new")} onClose={onClose}>
        <NewNote
          userId={userId}
          pageId={page.id}
          place={opened.place}
          onSave={async (body, color) => {
            const { block, start, quote, version } = opened.place ?? {};
            await createNote(client, { pageId: page.id, color, body, block, start, quote, version });
            onClose();
          }}
          onCancel={onClose}
        />
      </Dialog>
    );
  const chosen = opened.note === null ? undefined : notes?.find(({ id }) => id === opened.note);
  const shown = chosen ? [chosen] : notes;
  return (
    <Dialog open title={t("notes.title")} onClose={onClose}>
      <div className={classes.panel}>
        {shown?.map((note) => (
          <NoteCard
            key={note.id}
            note={note}
            userId={userId}
            onShow={() => onShow(note)}
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
          <Button variant="default" icon={<IconNotes size={18} />} onClick={() => onOpen({ place: null })}>
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
    </Dialog>
  );
}

interface NewProps {
  userId: string;
  pageId: string;
  place: NewPlace | null;
  onSave: Parameters<typeof NoteForm>[0]["onSave"];
  onCancel: () => void;
}

function NewNote({ userId, pageId, place, onSave, onCancel }: NewProps) {
  return (
    <div className={classes.panel}>
      {place && <blockquote className={classes.quote}>{place.quote}</blockquote>}
      <NoteForm
        userId={userId}
        draftKey={`new:${pageId}${place ? `:${place.block}:${place.start}` : ""}`}
        body=""
        color="YELLOW"
        mayBeEmpty={place !== null}
        onSave={onSave}
        onCancel={onCancel}
      />
    </div>
  );
}
