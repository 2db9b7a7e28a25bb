import type { Editor } from "@tiptap/core";
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
import { ApiError } from "../api/apiError";
import { BlockPanel } from "../editor/panel/BlockPanel";
import { toStored } from "../editor/stored";
import { loadInsertDialogs, useInsertDialogs } from "../editor/useInsertDialogs";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { createPostEditor } from "./createPostEditor";
import { isEmptyPost } from "./discussion";
import { type DraftKey, dropDraft, keepDraft, type PostDraft, readDraft } from "./drafts";
import classes from "./PostEditor.module.css";
import { PostTools } from "./PostTools";

interface Props {
  userId: string;
  draftKey: DraftKey;
  label: string;
  placeholder: string;
  /** The label of the button that sends it. */
  submit: string;
  /** The stored text of a post that is changed. */
  initial?: unknown;
  /** What is kept with the draft besides its text. */
  extra?: Omit<PostDraft, "body">;
  autoFocus?: boolean;
  /** Sends the document; `isAgain` after an attempt without an answer, which may have been carried out. */
  onSend: (body: unknown, isAgain: boolean) => Promise<unknown>;
  /** Called after it was sent, and after the writing was given up. */
  onClose: () => void;
  /** Choices between the text and the buttons. */
  children?: ReactNode;
}

const EMPTY = { type: "doc", content: [{ type: "paragraph" }] };

/** The editor of a question or an answer. What is written stays on this device until it is sent. */
export function PostEditor(props: Props) {
  const {
    userId,
    draftKey,
    label,
    placeholder,
    submit,
    initial,
    extra,
    autoFocus,
    onSend,
    onClose,
    children,
  } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const failureId = useId();
  const root = useRef<HTMLDivElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [body, setBody] = useState<unknown>(() => readDraft(userId, draftKey)?.body ?? initial ?? EMPTY);
  const [isKept, setKept] = useState(true);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A request without an answer may have been carried out.
  const isUncertain = useRef(false);
  const { dialogs, element } = useInsertDialogs(editor, null);
  const isEmpty = isEmptyPost(body);

  const keep = (now: unknown) => setKept(keepDraft(userId, draftKey, { body: now, ...extra }));
  const changed = useEffectEvent((now: unknown) => {
    setBody(now);
    setFailure(null);
    keep(now);
  });
  const choices = JSON.stringify(extra ?? null);
  const keepChoices = useEffectEvent(() => {
    if (!isEmpty && extra) keep(body);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps the draft when a choice changes
  useEffect(() => keepChoices(), [choices]);
  useLeaveQuestion({
    element: root,
    isUnsaved: !isKept && !isEmpty,
    discard: () => flushSync(() => setKept(true)),
  });

  const send = async () => {
    if (isSending || isEmpty || !isOnline) return;
    if (root.current?.querySelector("[data-upload]:not([data-failed])"))
      return setFailure(t("discussions.write.uploading"));
    setSending(true);
    setFailure(null);
    try {
      await onSend(body, isUncertain.current);
      dropDraft(userId, draftKey);
      flushSync(() => setKept(true));
      onClose();
    } catch (error) {
      const problem = ApiError.from(error);
      if (problem.isUnreachable) isUncertain.current = true;
      const [refused] = problem.fields.values();
      setFailure(refused ?? failureText(error));
      setSending(false);
      editor?.commands.focus();
    }
  };
  const cancel = () => {
    // A question or an answer that was begun stays as a draft; a change that is given up is not.
    if (initial !== undefined) dropDraft(userId, draftKey);
    onClose();
  };
  const sendNow = useEffectEvent(() => void send());
  const leave = useEffectEvent(() => {
    if (isEmpty || initial !== undefined) cancel();
    else editor?.commands.blur();
  });
  const start = useEffectEvent((at: HTMLElement) =>
    createPostEditor({
      element: at,
      content: body,
      label,
      placeholder,
      hasPage: () => false,
      onChange: (doc) => changed(toStored(doc)),
      onSend: () => sendNow(),
      onEscape: () => leave(),
    }),
  );
  const focusFirst = useEffectEvent((created: Editor) => {
    if (autoFocus) created.commands.focus("end");
  });
  useEffect(() => {
    if (!holder.current) return;
    const created = start(holder.current);
    setEditor(created);
    focusFirst(created);
    return () => created.destroy();
  }, []);
  useEffect(() => {
    loadInsertDialogs().catch(() => {});
  }, []);
  useEffect(() => {
    if (!editor || editor.isDestroyed) return;
    if (failure) editor.view.dom.setAttribute("aria-describedby", failureId);
    else editor.view.dom.removeAttribute("aria-describedby");
  }, [editor, failure, failureId]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isMod = event.ctrlKey || event.metaKey;
    if (isMod && event.code === "KeyK" && editor?.isFocused) {
      // Elsewhere these keys open the command palette.
      event.preventDefault();
      event.stopPropagation();
      dialogs.link();
    } else if (event.altKey && event.key === "F10") {
      event.preventDefault();
      root.current?.querySelector<HTMLElement>("[data-post-tools] [tabindex='0']")?.focus();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div ref={root} className={classes.editor} onKeyDown={onKeyDown}>
      {/* Nothing can be typed while it is sent, because that would not be sent with it. */}
      <div className={classes.box} inert={isSending}>
        <div ref={holder} className={classes.place} />
        <PostTools editor={editor} dialogs={dialogs} />
      </div>
      {children && (
        <div className={classes.choices} inert={isSending}>
          {children}
        </div>
      )}
      {failure && (
        <p id={failureId} role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          loading={isSending}
          aria-disabled={((isEmpty || !isOnline) && !isSending) || undefined}
          onClick={() => void send()}
        >
          {submit}
        </Button>
        <Button variant="subtle" disabled={isSending} onClick={cancel}>
          {t("ui.cancel")}
        </Button>
        <span
          className={classes.hint}
          role="status"
          data-failed={!isKept || undefined}
          data-keys={(isKept && isOnline) || undefined}
        >
          {!isKept
            ? t("discussions.write.notKept")
            : !isOnline
              ? t("discussions.write.offline")
              : t("discussions.write.keys")}
        </span>
      </div>
      <BlockPanel editor={editor} />
      {element}
    </div>
  );
}
