import type { Editor, JSONContent } from "@tiptap/core";
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
import { mayHaveArrived } from "../api/mayHaveArrived";
import { BlockPanel } from "../editor/panel/BlockPanel";
import { FROM_SERVER } from "../editor/reportChanges";
import { toStored } from "../editor/stored";
import { loadInsertDialogs, useInsertDialogs } from "../editor/useInsertDialogs";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { failureText } from "../ui/toasts";
import { offerUndo } from "../ui/undo";
import { useOnline } from "../ui/useOnline";
import { createPostEditor } from "./createPostEditor";
import { isEmptyPost, isSameText } from "./discussion";
import { type DraftKey, draftIn, dropDraft, keepDraft, keyOf, type PostDraft, readDraft } from "./drafts";
import { closeForm, takeForm } from "./openForms";
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
  /** When the text of the post that is changed was last changed; null for never. */
  editedAt?: string | null;
  /** The choices that are kept with the draft. */
  extra?: Pick<PostDraft, "place" | "toTeachers" | "isAnonymous">;
  /** Why it cannot be sent now. */
  refusal?: string | undefined;
  autoFocus?: boolean;
  /** Sends the document; `isAgain` after an attempt without an answer, which may have been carried out. */
  onSend: (body: unknown, isAgain: boolean) => Promise<unknown>;
  /** Called after it was sent, after the writing was given up, and when another form of the same draft is opened. */
  onClose: () => void;
  /** Called when the giving up of the text is undone, after it is a draft again. */
  onReopen?: () => void;
  /** Choices between the text and the buttons. */
  children?: ReactNode;
}

const EMPTY = { type: "doc", content: [{ type: "paragraph" }] };

/** The editor of a question or an answer. What is written stays on this device until it is sent. */
export function PostEditor(props: Props) {
  const { userId, draftKey, label, placeholder, submit, initial, editedAt = null, extra, refusal } = props;
  const { autoFocus, onSend, onClose, onReopen, children } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const failureId = useId();
  const refusalId = useId();
  const root = useRef<HTMLDivElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [kept] = useState(() => readDraft(userId, draftKey));
  const [body, setBody] = useState<unknown>(() => kept?.body ?? initial ?? EMPTY);
  /** When the text was last changed that this change began with. */
  const [base, setBase] = useState(kept?.base === undefined ? editedAt : kept.base);
  const [isKept, setKept] = useState(true);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // A request without an answer may have been carried out.
  const isUncertain = useRef(kept?.isUncertain ?? false);
  const { dialogs, element } = useInsertDialogs(editor, null);
  const isEmpty = isEmptyPost(body);
  const isEdit = initial !== undefined;
  const hasText = isEdit ? !isSameText(body, initial) : !isEmpty;

  const keep = (now: unknown) => {
    if (isEdit && isSameText(now, initial)) {
      dropDraft(userId, draftKey);
      return setKept(true);
    }
    const state = { ...(isUncertain.current && { isUncertain: true }), ...(isEdit && { base }) };
    setKept(keepDraft(userId, draftKey, { body: now, ...extra, ...state }));
  };
  const changed = useEffectEvent((now: unknown) => {
    setBody(now);
    setFailure(null);
    keep(now);
  });
  const choices = JSON.stringify(extra ?? null);
  const keptChoices = useRef(choices);
  const keepChoices = useEffectEvent(() => {
    if (!isEmpty) keep(body);
  });
  useEffect(() => {
    // A form that is only opened changes nothing.
    if (keptChoices.current === choices) return;
    keptChoices.current = choices;
    keepChoices();
  }, [choices]);
  useLeaveQuestion({
    element: root,
    isUnsaved: !isKept && !isEmpty,
    discard: () => flushSync(() => setKept(true)),
  });

  const send = async () => {
    if (isSending || isEmpty || !isOnline || refusal !== undefined) return;
    if (root.current?.querySelector("[data-upload]:not([data-failed])"))
      return setFailure(t("discussions.write.uploading"));
    if (root.current?.querySelector("[data-upload]")) return setFailure(t("discussions.form.uploadFailed"));
    const isAgain = isUncertain.current;
    setSending(true);
    setFailure(null);
    // The page may be closed before the answer comes.
    isUncertain.current = true;
    keep(body);
    try {
      await onSend(body, isAgain);
      dropDraft(userId, draftKey);
      flushSync(() => setKept(true));
      closeForm(keyOf(userId, draftKey));
    } catch (error) {
      isUncertain.current = isAgain || mayHaveArrived(error);
      keep(body);
      const [refused] = ApiError.from(error).fields.values();
      setFailure(refused ?? failureText(error));
      setSending(false);
      editor?.commands.focus();
    }
  };
  const discard = () => {
    const draft = readDraft(userId, draftKey);
    dropDraft(userId, draftKey);
    flushSync(() => setKept(true));
    onClose();
    if (!hasText || !draft) return;
    offerUndo(t(isEdit ? "discussions.form.changesDropped" : "discussions.form.draftDeleted"), () => {
      // What was written since is not overwritten.
      if (!readDraft(userId, draftKey)) keepDraft(userId, draftKey, draft);
      onReopen?.();
    });
  };
  const show = (now: unknown) => {
    setBody(now);
    editor
      ?.chain()
      .setMeta(FROM_SERVER, true)
      .setContent(now as JSONContent)
      .run();
  };
  const startAgain = () => {
    dropDraft(userId, draftKey);
    setBase(editedAt);
    show(initial);
    editor?.commands.focus("end");
  };
  // The same draft may be open in another tab of the browser.
  const hearTab = useEffectEvent(({ key, oldValue, newValue }: StorageEvent) => {
    if (key !== keyOf(userId, draftKey) || isSending) return;
    const now = draftIn(newValue);
    if (now) {
      isUncertain.current = now.isUncertain ?? false;
      if (!isSameText(now.body, body)) show(now.body);
      return;
    }
    // It was sent or deleted there.
    const before = draftIn(oldValue);
    if (before && isSameText(before.body, body)) onClose();
  });
  useEffect(() => {
    const hear = (event: StorageEvent) => hearTab(event);
    window.addEventListener("storage", hear);
    return () => window.removeEventListener("storage", hear);
  }, []);
  const sendNow = useEffectEvent(() => void send());
  const leave = useEffectEvent(() => {
    if (!hasText) discard();
    else root.current?.querySelector<HTMLElement>("[data-send]")?.focus();
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
  const close = useEffectEvent(() => onClose());
  // The first of the effects that take the focus: another form of the draft, which closes now, may move it.
  useEffect(() => takeForm(keyOf(userId, draftKey), () => close()), [userId, draftKey]);
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
    const described = [failure && failureId, refusal && refusalId].filter(Boolean).join(" ");
    if (described) editor.view.dom.setAttribute("aria-describedby", described);
    else editor.view.dom.removeAttribute("aria-describedby");
  }, [editor, failure, failureId, refusal, refusalId]);

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
      {isEdit && base !== editedAt && !isSending && (
        <div className={classes.failure} role="status">
          {t("discussions.form.editedSince")}{" "}
          <Button variant="subtle" size="compact" onClick={startAgain}>
            {t("discussions.form.startAgain")}
          </Button>
        </div>
      )}
      {refusal && (
        <p id={refusalId} role="alert" className={classes.failure}>
          {refusal}
        </p>
      )}
      {failure && (
        <p id={failureId} role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          loading={isSending}
          aria-disabled={((isEmpty || !isOnline || refusal !== undefined) && !isSending) || undefined}
          data-send=""
          onClick={() => void send()}
        >
          {submit}
        </Button>
        {(isEdit || isEmpty) && (
          <Button variant="subtle" disabled={isSending} onClick={discard}>
            {t("ui.cancel")}
          </Button>
        )}
        {!isEdit && !isEmpty && (
          <>
            {isKept && (
              <Button variant="subtle" disabled={isSending} onClick={onClose}>
                {t("discussions.form.collapse")}
              </Button>
            )}
            <Button variant="subtle" disabled={isSending} onClick={discard}>
              {t("discussions.form.deleteDraft")}
            </Button>
          </>
        )}
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
