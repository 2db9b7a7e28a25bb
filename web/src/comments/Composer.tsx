import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { COMMENT_WRITE_TEXT_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/TextArea";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import classes from "./Composer.module.css";
import { type CommentDraft, type DraftKey, dropDraft, keepDraft, readDraft } from "./drafts";
import { useMentions } from "./Mentions";
import { type Mentioned, storedOf, typedOf } from "./mentions";

interface Props {
  userId: string;
  courseId: string;
  /** Under which what is typed is kept until it is sent. */
  draftKey: DraftKey;
  /** What the draft holds beside the text. */
  extra?: Pick<CommentDraft, "place" | "suggestion">;
  label: string;
  placeholder?: string;
  send: string;
  /** The stored text to begin with when there is no draft. */
  initial?: string;
  /** Sent in place of an empty text; without it, an empty text is not sent. */
  fallback?: string | undefined;
  autoFocus?: boolean;
  /** Rejects when the text could not be sent; it then stays. */
  onSend: (stored: string) => Promise<unknown>;
  /** Called after the draft was discarded. */
  onCancel?: () => void;
  /** Whether the buttons are hidden until something is typed. */
  isQuiet?: boolean;
  /** Between the field and the buttons. */
  children?: ReactNode;
}

/** A field for a comment with its buttons. What is typed stays on this device until it is sent or discarded. */
export function Composer(props: Props) {
  const { userId, courseId, draftKey, extra, label, placeholder, send, initial = "", fallback } = props;
  const { autoFocus = false, onSend, onCancel, isQuiet = false, children } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const errorId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [{ text, mentioned }, setTyped] = useState<{ text: string; mentioned: readonly Mentioned[] }>(
    () => readDraft(userId, draftKey) ?? typedOf(initial),
  );
  const [cursor, setCursor] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const type = (typed: { text: string; mentioned: readonly Mentioned[] }) => {
    setTyped(typed);
    setFailure(null);
    keepDraft(userId, draftKey, { ...typed, ...extra });
  };
  const keepExtra = useEffectEvent(() => {
    if (extra) keepDraft(userId, draftKey, { text, mentioned, ...extra });
  });
  const suggestion = extra?.suggestion;
  useEffect(() => {
    if (suggestion !== undefined) keepExtra();
  }, [suggestion]);
  const mentions = useMentions({
    courseId,
    text,
    mentioned,
    cursor,
    field,
    onChoose: (person, from, to) => {
      const after = text.slice(to);
      const name = `@${person.name}${/^\s/.test(after) ? "" : " "}`;
      flushSync(() =>
        type({ text: `${text.slice(0, from)}${name}${after}`, mentioned: [...mentioned, person] }),
      );
      const end = from + name.length;
      field.current?.setSelectionRange(end, end);
      setCursor(end);
    },
  });
  const stored = storedOf(text.trim(), mentioned) || (fallback ?? "");
  const isLong = [...stored].length > COMMENT_WRITE_TEXT_MAX;
  const mayNot = stored === "" || isLong || isBusy || !isOnline;
  const submit = async () => {
    if (mayNot) return;
    setBusy(true);
    setFailure(null);
    try {
      await onSend(stored);
      dropDraft(userId, draftKey);
      setTyped({ text: "", mentioned: [] });
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKeyDown(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      void submit();
    }
  };
  const move = () => setCursor(field.current?.selectionStart ?? null);
  const hasButtons = !isQuiet || text !== "" || failure !== null;
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextArea
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        rows={isQuiet && text === "" ? 1 : 3}
        inputClassName={classes.field}
        value={text}
        readOnly={isBusy}
        autoFocus={autoFocus}
        onChange={(event) => {
          type({ text: event.currentTarget.value, mentioned });
          move();
        }}
        onSelect={move}
        onBlur={() => setCursor(null)}
        onKeyDown={onKeyDown}
        error={isLong && t("comments.tooLong", { count: COMMENT_WRITE_TEXT_MAX })}
        {...mentions.field}
        aria-describedby={failure ? errorId : undefined}
      />
      {mentions.list}
      {children}
      {failure && (
        <p id={errorId} role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      {hasButtons && (
        <div className={classes.buttons}>
          <Button type="submit" loading={isBusy} aria-disabled={(mayNot && !isBusy) || undefined}>
            {send}
          </Button>
          {(onCancel || text !== "") && (
            <Button
              variant="subtle"
              onClick={() => {
                dropDraft(userId, draftKey);
                setTyped(typedOf(initial));
                setFailure(null);
                onCancel?.();
              }}
            >
              {t("ui.cancel")}
            </Button>
          )}
          <span className={classes.hint}>{t(isOnline ? "comments.sendKeys" : "comments.offline")}</span>
        </div>
      )}
    </form>
  );
}
