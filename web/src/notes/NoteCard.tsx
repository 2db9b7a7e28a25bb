import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { EditNote } from "./EditNote";
import classes from "./NoteCard.module.css";
import "./highlights.css";
import type { Note } from "./note";

interface Props {
  note: Note;
  courseId: string;
  userId: string;
  /** Shows the words on the page; missing where that is not possible. */
  onShow?: (() => void) | undefined;
  onDelete: () => void;
}

/** A note with its quote: shows, changes and deletes it. */
export function NoteCard({ note, courseId, userId, onShow, onDelete }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
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
        <EditNote note={note} courseId={courseId} userId={userId} onClose={() => setOpen(false)} />
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
