import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import type { NoteColor } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { readNote } from "./actions";
import { type NoteBase, readDraft } from "./drafts";
import classes from "./EditNote.module.css";
import { NoteForm } from "./NoteForm";
import { UpdateNoteDocument } from "./Notes.generated";
import type { Note } from "./note";

interface Props {
  note: Note;
  courseId: string;
  userId: string;
  onClose: () => void;
}

/**
 * The form of a stored note. It begins with what was stored when it was opened, so that what another device has stored since is not overwritten: then
 * the person sees both and chooses.
 */
export function EditNote({ note, courseId, userId, onClose }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const draftKey = `edit:${note.id}` as const;
  const [base] = useState<NoteBase>(() => {
    const { version, body, color } = note;
    return readDraft(userId, draftKey)?.base ?? { version, body, color };
  });
  // What another device has stored since. The draft keeps its base until the person has chosen.
  const [stored, setStored] = useState<Note | null>(null);
  const save = async (body: string, color: NoteColor) => {
    const before = stored ?? base;
    const changes = { ...(body !== before.body && { body }), ...(color !== before.color && { color }) };
    if (Object.keys(changes).length === 0) return;
    try {
      const input = { noteId: note.id, version: before.version, ...changes };
      await client.mutate({ mutation: UpdateNoteDocument, variables: { input } });
    } catch (error) {
      if (ApiError.from(error).status !== 409) throw error;
      const now = await readNote(client, note, courseId);
      // An earlier attempt has arrived, or another device has stored the same.
      if (now?.body === body && now.color === color) return;
      setStored(now);
      throw error;
    }
  };
  return (
    <NoteForm
      userId={userId}
      draftKey={draftKey}
      body={base.body}
      color={base.color}
      about={{ base }}
      mayBeEmpty={note.state !== "PAGE"}
      labels={stored ? { save: t("notes.saveMine"), cancel: t("notes.keepStored") } : undefined}
      onSave={save}
      onSaved={onClose}
      onCancel={onClose}
    >
      {stored && (
        <div className={classes.stored} data-color={stored.color}>
          <p className={classes.heading}>{t("notes.stored", { color: t(`notes.colors.${stored.color}`) })}</p>
          <p className={classes.body}>{stored.body || t("notes.noText")}</p>
        </div>
      )}
    </NoteForm>
  );
}
