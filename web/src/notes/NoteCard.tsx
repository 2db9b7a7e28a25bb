import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./NoteCard.module.css";
import { NoteForm } from "./NoteForm";
import { UpdateNoteDocument } from "./Notes.generated";
import "./highlights.css";
import type { Note } from "./note";

interface Props {
  note: Note;
  userId: string;
  /** Shows the words on the page; missing where that is not possible. */
  onShow?: (() => void) | undefined;
  onDelete: () => void;
  /** Whether the form is open at first. */
  isEditing?: boolean;
}

/** A note with its quote: shows, changes and deletes it. */
export function NoteCard({ note, userId, onShow, onDelete, isEditing = false }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [isOpen, setOpen] = useState(isEditing);
  return (
    <article className={classes.card} data-color={note.color}>
      {note.quote && (
        <blockquote className={classes.quote} data-gone={note.state === "GONE" || undefined}>
          {note.quote.exact}
        </blockquote>
      )}
      {(note.state === "GONE" || note.state === "WITHHELD") && (
        <p className={classes.state}>{t(`notes.states.${note.state}`)}</p>
      )}
      {isOpen ? (
        <NoteForm
          userId={userId}
          draftKey={`edit:${note.id}`}
          body={note.body}
          color={note.color}
          mayBeEmpty={note.state !== "PAGE"}
          onSave={async (body, color) => {
            await client.mutate({
              mutation: UpdateNoteDocument,
              variables: { input: { noteId: note.id, version: note.version, body, color } },
            });
            setOpen(false);
          }}
          onCancel={() => setOpen(false)}
        />
      ) : (
        <>
          {note.body && <p className={classes.body}>{note.body}</p>}
          <div className={classes.buttons}>
            {onShow && note.state === "FOUND" && (
              <Button variant="subtle" size="compact" onClick={onShow}>
                {t("notes.show")}
              </Button>
            )}
            <Button variant="subtle" size="compact" onClick={() => setOpen(true)}>
              {t(note.body ? "notes.edit" : "notes.addText")}
            </Button>
            <Button variant="subtle" size="compact" onClick={onDelete}>
              {t("notes.delete")}
            </Button>
          </div>
        </>
      )}
    </article>
  );
}
