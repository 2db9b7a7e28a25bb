import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AssignmentPageDocument } from "../../assignment/Assignment.generated";
import { useLeaveQuestion } from "../../forms/useLeaveGuard";
import { useTranslation } from "../../i18n/useTranslation";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { type AnswerFile, kindsText, type Refusal, sortOut } from "../files";
import { refreshQuiz } from "../refreshQuiz";
import { FileDrop } from "./FileDrop";
import { FileRow } from "./FileRow";
import classes from "./FilesInput.module.css";
import type { FileUploadProps } from "./FileUpload";
import { useUploads } from "./useUploads";

/** The field of an answer with files: a place to drop them, a button to choose them, and the list of those chosen. */
export default function FilesInput(props: FileUploadProps) {
  const { question, pageId, answer, onAnswer, onUnsent, disabled, labelledBy, isPart = false } = props;
  const { maxFiles, extensions } = question;
  const { t } = useTranslation();
  const client = useApolloClient();
  const id = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [said, setSaid] = useState("");
  /** The keys of rows by the ids of their files: a row keeps its place and the focus when its upload ends. */
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({});
  const files = answer?.files ?? [];
  const { uploads, add, retry, cancel } = useUploads({
    url: `/api/v1/courses/upload_answer_file/${pageId}/${question.id}`,
    isOver: disabled,
    onStored: (file, key) => {
      setKeys((known) => ({ ...known, [file.id]: key }));
      onAnswer({ files: [...files, file] });
      setSaid(t("quiz.files.stored", { name: file.filename }));
    },
    onFailed: (name) => setSaid(t("quiz.files.failed", { name })),
    onRefused: () => refreshQuiz(client, pageId, isPart ? AssignmentPageDocument : undefined),
  });
  const isRunning = uploads.some(({ state }) => state !== "failed");
  const unsent = uploads.length === 0 ? null : isRunning ? "running" : "failed";
  const tell = useEffectEvent(onUnsent);
  useEffect(() => tell(unsent), [unsent]);
  useEffect(() => () => tell(null), []);
  useLeaveQuestion({
    element: root,
    isUnsaved: isRunning,
    isUpload: true,
    discard: () => {
      for (const { key } of uploads) cancel(key);
    },
  });

  const room = maxFiles - files.length - uploads.length;
  const focusRow = (at: number) => {
    const rows = root.current?.querySelectorAll<HTMLElement>("[data-remove]");
    const next = rows?.[Math.min(at, rows.length - 1)] ?? root.current?.querySelector<HTMLElement>("button");
    next?.focus();
  };
  const choose = (chosen: readonly (File & { isFolder?: boolean })[]) => {
    const sorted = sortOut(chosen, question, room);
    flushSync(() => {
      setRefused(sorted.refused);
      add(sorted.taken);
      if (sorted.taken.length > 0)
        setSaid(t("quiz.files.started", { names: sorted.taken.map(({ name }) => name).join(", ") }));
    });
    // The button that had the focus is gone when no more files fit.
    if (sorted.taken.length === room) focusRow(files.length + uploads.length);
  };
  const drop = (at: number, change: () => void, text: string) => {
    flushSync(() => {
      change();
      setRefused([]);
      setSaid(text);
    });
    focusRow(at);
  };
  const remove = ({ id, filename }: AnswerFile, at: number) =>
    drop(
      at,
      () => onAnswer({ files: files.filter((one) => one.id !== id) }),
      t("quiz.files.removed", { name: filename }),
    );

  const rows = [
    ...files.map((file, at) => ({
      key: keys[file.id] ?? file.id,
      name: file.filename,
      size: file.size,
      upload: null,
      remove: () => remove(file, at),
    })),
    ...uploads.map((upload, at) => ({
      ...upload,
      upload,
      remove: () =>
        drop(files.length + at, () => cancel(upload.key), t("quiz.files.cancelled", { name: upload.name })),
    })),
  ];
  return (
    <fieldset
      ref={root}
      tabIndex={-1}
      className={classes.files}
      aria-labelledby={labelledBy}
      aria-describedby={`${id}-rules`}
      data-unreadable={unsent === "failed" ? "" : undefined}
    >
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
        <ul role="list" className={classes.list} aria-label={t("quiz.files.list")}>
          {rows.map(({ key, ...row }, at) => (
            <FileRow
              key={key}
              {...row}
              disabled={disabled}
              onRetry={() => {
                flushSync(() => retry(key));
                // The button that had the focus is gone.
                focusRow(at);
              }}
            />
          ))}
        </ul>
      )}
      {room > 0 && (
        <FileDrop isSingle={maxFiles === 1} disabled={disabled} onChoose={choose} extensions={extensions} />
      )}
      {refused.length > 0 && (
        <div role="alert" className={classes.refused}>
          {refused.map(({ reason, names }) => (
            <p key={reason}>
              {t(`quiz.files.refused.${reason}`, {
                names: names.map((name) => t("quiz.files.name", { name })).join(", "),
                kinds: kindsText(extensions),
                count: maxFiles,
              })}
            </p>
          ))}
        </div>
      )}
      <p id={`${id}-rules`} className={classes.rules}>
        <span>
          {rows.length > 0
            ? t("quiz.files.count", { used: rows.length, count: maxFiles })
            : t("quiz.files.upTo", { count: maxFiles })}
        </span>
        {extensions.length > 0 && <span>{t("quiz.files.kinds", { kinds: kindsText(extensions) })}</span>}
        {room <= 0 && !disabled && <span>{t("quiz.files.full")}</span>}
        {!isPart && <span>{t("quiz.essay.byPerson")}</span>}
      </p>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </fieldset>
  );
}
