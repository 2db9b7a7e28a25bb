import { useEffect, useRef, useState } from "react";
import { upload } from "../api/upload";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { IconUpload } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

import { ProgressBar } from "../ui/ProgressBar";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import classes from "./FileDialog.module.css";

/** The longest report that is shown at first. */
const SHOWN = 50;

interface ReportLine {
  where: string;
  what: string;
  /** `carried` for what was kept unchanged. */
  outcome: string;
  why: string;
}

interface Imported {
  /** Number of questions that were added. */
  count: number;
  /** What was changed or left out. */
  report: ReportLine[];
}

interface FileDialogProps {
  bankId: string;
  /** Questions were added, or may have been when the upload was cancelled. */
  onAdded: () => void;
  onClose: () => void;
}

/** Adds the questions of a file to a bank, and tells what could not be carried over. */
export function FileDialog({ bankId, onAdded, onClose }: FileDialogProps) {
  const { t } = useTranslation();
  const online = useOnline();
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [result, setResult] = useState<Imported | null>(null);
  const under = useRef<AbortController | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useLeaveQuestion({
    element,
    isUnsaved: sending !== null,
    isUpload: true,
    discard: () => under.current?.abort(),
  });
  // Closing the dialog cancels the upload.
  useEffect(() => () => under.current?.abort(), []);
  const send = async (file: File) => {
    const controller = new AbortController();
    under.current = controller;
    setProblem(null);
    setSending({ name: file.name, share: 0 });
    const form = new FormData();
    form.append("file", file);
    try {
      const imported = await upload<Imported>(`/api/v1/banks/import_questions/${bankId}`, form, {
        signal: controller.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      setResult(imported);
      onAdded();
    } catch (error) {
      if (controller.signal.aborted) onAdded();
      else setProblem(failureText(error));
    } finally {
      setSending(null);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("banks.file.title")}
      actions={
        result && (
          <>
            <Button variant="default" onClick={() => setResult(null)}>
              {t("banks.file.another")}
            </Button>
            <Button onClick={onClose}>{t("banks.file.done")}</Button>
          </>
        )
      }
    >
      {result ? (
        <Result {...result} />
      ) : sending ? (
        <div ref={element} className={classes.sending} role="status">
          <p>{t("banks.file.sending", { name: sending.name })}</p>
          <ProgressBar percent={Math.round(sending.share * 100)} label={t("banks.file.sent")} />
          {sending.share === 1 && <p className={classes.dim}>{t("banks.file.reading")}</p>}
          <Button variant="default" onClick={() => under.current?.abort()}>
            {t("ui.cancel")}
          </Button>
        </div>
      ) : (
        <Drop onChoose={(file) => void send(file)} disabled={!online} />
      )}
      {!online && !result && (
        <p className={classes.problem} role="status">
          {t("banks.file.offline")}
        </p>
      )}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

function Drop({ onChoose, disabled }: { onChoose: (file: File) => void; disabled: boolean }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file && !disabled) onChoose(file);
      }}
    >
      <p>{t("banks.file.drop")}</p>
      <Button
        icon={<IconUpload size={18} />}
        onClick={() => input.current?.click()}
        disabled={disabled}
        data-autofocus
      >
        {t("banks.file.choose")}
      </Button>
      <p className={classes.dim}>{t("banks.file.formats")}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("banks.file.choose")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Resets the input, so that choosing the same file again triggers a change event.
          event.currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </div>
  );
}

function Result({ count, report: lines }: Imported) {
  const { t } = useTranslation();
  const report = lines.filter(({ outcome }) => outcome !== "carried");
  return (
    <div className={classes.result}>
      <p className={classes.added} role="status">
        {t("banks.pasted.added", { count })}
      </p>
      {report.length === 0 && <p className={classes.dim}>{t("banks.file.clean")}</p>}
      {report.length > 0 && (
        <section aria-label={t("banks.file.report")}>
          <h3 className={classes.heading}>{t("banks.file.report")}</h3>
          <ul className={classes.report}>
            {report.slice(0, SHOWN).map(({ where, what, why }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines may be equal, and have no state
              <li key={index}>
                {where === ""
                  ? t("banks.file.noPlace", { what, why })
                  : t("banks.file.line", { where, what, why })}
              </li>
            ))}
            {report.length > SHOWN && <li>{t("banks.file.more", { count: report.length - SHOWN })}</li>}
          </ul>
        </section>
      )}
    </div>
  );
}
