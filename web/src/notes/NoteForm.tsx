import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { NoteColor } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/TextArea";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { type DraftKey, dropDraft, keepDraft, readDraft } from "./drafts";
import classes from "./NoteForm.module.css";
import { COLORS, MAX_BODY } from "./note";

interface Props {
  userId: string;
  /** Under which what is typed is kept until it is stored. */
  draftKey: DraftKey;
  /** What is stored. */
  body: string;
  color: NoteColor;
  /** Whether a note without a text is a highlight; otherwise it needs one. */
  mayBeEmpty: boolean;
  /** Rejects when it was not stored; what was typed then stays. */
  onSave: (body: string, color: NoteColor) => Promise<unknown>;
  onCancel: () => void;
}

/** The text and the color of a note. What is typed stays on this device until it is stored or discarded. */
export function NoteForm({ userId, draftKey, body, color, mayBeEmpty, onSave, onCancel }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(() => readDraft(userId, draftKey) ?? body);
  const [chosen, setChosen] = useState(color);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isLong = [...text].length > MAX_BODY;
  const mayNot = isBusy || isLong || !isOnline || (!mayBeEmpty && text.trim() === "");
  const save = async () => {
    if (mayNot) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSave(text.trim(), chosen);
      dropDraft(userId, draftKey);
    } catch (error) {
      setFailure(failureText(error));
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void save();
  };
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextArea
        label={t("notes.text")}
        value={text}
        rows={4}
        data-autofocus
        error={isLong ? t("notes.tooLong", { count: MAX_BODY }) : (failure ?? undefined)}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setFailure(null);
          keepDraft(userId, draftKey, target.value);
        }}
      />
      <fieldset className={classes.colors}>
        <legend className={classes.legend}>{t("notes.color")}</legend>
        {COLORS.map((one) => (
          <label key={one} className={classes.color} data-color={one} title={t(`notes.colors.${one}`)}>
            <input
              type="radio"
              name={name}
              checked={one === chosen}
              aria-label={t(`notes.colors.${one}`)}
              onChange={() => setChosen(one)}
            />
          </label>
        ))}
      </fieldset>
      {!isOnline && <p className={classes.offline}>{t("notes.offline")}</p>}
      <div className={classes.buttons}>
        <Button
          variant="default"
          onClick={() => {
            dropDraft(userId, draftKey);
            onCancel();
          }}
        >
          {t("ui.cancel")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={mayNot && !isBusy}>
          {t("notes.save")}
        </Button>
      </div>
    </form>
  );
}
