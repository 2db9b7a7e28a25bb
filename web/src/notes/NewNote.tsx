import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import type { NoteColor } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { readAgain } from "../reading/readAgain";
import { Button } from "../ui/Button";
import { createNote } from "./actions";
import type { DraftKey } from "./drafts";
import { NoteForm } from "./NoteForm";
import classes from "./NotesPanel.module.css";
import type { NewPlace } from "./note";
import { placeAgain } from "./placeAgain";

interface Props {
  page: { id: string; version: number; content: unknown };
  userId: string;
  draftKey: DraftKey;
  place: NewPlace | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** The form of a new note. When the page has changed since its words were selected, they are looked for in the text as it is now. */
export function NewNote({ page, userId, draftKey, place, onSaved, onCancel }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [chosen, setChosen] = useState(place);
  const about = chosen && placeAgain(chosen, page);
  const hasChanged = chosen !== null && chosen.version !== page.version;
  const save = async (body: string, color: NoteColor, isAgain: boolean) => {
    const { block, start, quote, version } = about ?? {};
    try {
      await createNote(client, { pageId: page.id, color, body, block, start, quote, version }, isAgain);
    } catch (error) {
      // The page may have changed: its current text is read, and the words are searched in it.
      if (about && ApiError.from(error).status === 409) await readAgain(client, page.id).catch(() => {});
      throw error;
    }
  };
  return (
    <div className={classes.panel}>
      {chosen && <blockquote className={classes.quote}>{chosen.quote}</blockquote>}
      {hasChanged && (
        <div className={classes.actions} role="status">
          <p className={classes.empty}>{t(about ? "notes.wordsFound" : "notes.wordsGone")}</p>
          <Button variant="subtle" size="compact" onClick={() => setChosen(null)}>
            {t("notes.toPage")}
          </Button>
        </div>
      )}
      <NoteForm
        userId={userId}
        draftKey={draftKey}
        body=""
        color="YELLOW"
        about={{ place: chosen }}
        mayBeEmpty={chosen !== null}
        isHeld={chosen !== null && about === null}
        onSave={save}
        onSaved={onSaved}
        onCancel={onCancel}
      />
    </div>
  );
}
