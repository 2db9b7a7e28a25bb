import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { mayHaveArrived } from "../api/mayHaveArrived";
import type { NoteColor } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/TextArea";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { type DraftKey, dropDraft, keepDraft, type NoteDraft, readDraft } from "./drafts";
import classes from "./NoteForm.module.css";
import { COLORS, MAX_BODY } from "./note";

interface Props {
  userId: string;
  /** Under which what is typed is kept until it is stored. */
  draftKey: DraftKey;
  /** What is stored. */
  body: string;
  color: NoteColor;
  /** What else belongs to the draft. */
  about: Pick<NoteDraft, "place" | "base">;
  /** Whether a note without a text is a highlight; otherwise it needs one. */
  mayBeEmpty: boolean;
  /** Whether it cannot be stored until the person has decided something above the form. */
  isHeld?: boolean;
  /** The labels of the buttons, if they are not the usual ones. */
  labels?: { save: string; cancel: string } | undefined;
  /** What stands above the text. */
  children?: ReactNode;
  /** Rejects when it was not stored; what was typed then stays. `isAgain` tells that an earlier attempt may have arrived. */
  onSave: (body: string, color: NoteColor, isAgain: boolean) => Promise<unknown>;
  onSaved: () => void;
  onCancel: () => void;
}

/** The text and the color of a note. What is typed stays on this device until it is stored or discarded. */
export function NoteForm(props: Props) {
  const { userId, draftKey, body, color, about, mayBeEmpty, isHeld = false, labels, children } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const name = useId();
  const [draft] = useState(() => readDraft(userId, draftKey));
  const [text, setText] = useState(draft?.body ?? body);
  const [chosen, setChosen] = useState(draft?.color ?? color);
  const isUncertain = useRef(draft?.isUncertain ?? false);
  const [isKept, setKept] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isLong = [...text].length > MAX_BODY;
  const mayNot = isBusy || isHeld || isLong || !isOnline || (!mayBeEmpty && text.trim() === "");
  const keep = (body: string, color: NoteColor) =>
    setKept(keepDraft(userId, draftKey, { ...about, body, color, isUncertain: isUncertain.current }));
  const save = async () => {
    if (mayNot) return;
    setBusy(true);
    setFailure(null);
    try {
      await props.onSave(text.trim(), chosen, isUncertain.current);
    } catch (error) {
      isUncertain.current ||= mayHaveArrived(error);
      keep(text, chosen);
      setFailure(failureText(error));
      setBusy(false);
      return;
    }
    dropDraft(userId, draftKey);
    props.onSaved();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void save();
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {children}
      <TextArea
        label={t("notes.text")}
        value={text}
        rows={4}
        data-autofocus
        readOnly={isBusy}
        error={isLong ? t("notes.tooLong", { count: MAX_BODY }) : (failure ?? undefined)}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setFailure(null);
          keep(target.value, chosen);
        }}
      />
      <fieldset className={classes.colors} disabled={isBusy}>
        <legend className={classes.legend}>{t("notes.color")}</legend>
        {COLORS.map((one) => (
          <label key={one} className={classes.color} data-color={one} title={t(`notes.colors.${one}`)}>
            <input
              type="radio"
              name={name}
              checked={one === chosen}
              aria-label={t(`notes.colors.${one}`)}
              onChange={() => {
                setChosen(one);
                keep(text, one);
              }}
            />
          </label>
        ))}
      </fieldset>
      {!isKept && (
        <p className={classes.hint} role="status">
          {t("notes.notKept")}
        </p>
      )}
      {!isOnline && <p className={classes.hint}>{t(isKept ? "notes.offline" : "notes.offlineNotKept")}</p>}
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => {
            dropDraft(userId, draftKey);
            props.onCancel();
          }}
        >
          {labels?.cancel ?? t("ui.cancel")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={mayNot && !isBusy}>
          {labels?.save ?? t("notes.save")}
        </Button>
      </div>
    </form>
  );
}
