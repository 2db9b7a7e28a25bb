import { useMutation } from "@apollo/client/react";
import { useRef, useState } from "react";
import { countCharacters, isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { REASON_MAX } from "../limits.generated";
import { IconUpload } from "../ui/authorIcons";
import { Button } from "../ui/Button";

import { TextField } from "../ui/TextField";
import { toastFailure } from "../ui/toasts";
import { ImportGradesDocument } from "./ImportGrades.generated";
import classes from "./ImportGrades.module.css";
import { TablePreview } from "./TablePreview";
import { type GradeTable, stillThere, tableText, undoTable } from "./tableFile";

interface Props {
  courseId: string;
}

/** The view that reads a table of grades: the file and the reason, what would change, and what has changed. */
export default function ImportGrades({ courseId }: Props) {
  const { t } = useTranslation();
  const [send] = useMutation(ImportGradesDocument);
  const input = useRef<HTMLInputElement>(null);
  const [table, setTable] = useState("");
  const [preview, setPreview] = useState<GradeTable | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const [done, setDone] = useState<GradeTable | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** The reason that the preview was made with: its digest holds for no other one. */
  const [previewed, setPreviewed] = useState("");
  /** Counts the chosen files: what belongs to an earlier one is dropped. */
  const choice = useRef(0);
  /** What is wrong with the chosen file itself; a refusal of the server is an error of the form. */
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const read = async (text: string, reason: string, digest: string | null) => {
    const { data } = await send({ variables: { input: { courseId, table: text, reason, digest } } });
    return data?.importGrades;
  };
  const form = useGuardedForm({
    name: "grade-import",
    subject: courseId,
    defaultValues: { reason: "", file: "" },
    // The file is not kept when the session ends, and its name alone means nothing.
    secrets: ["file"],
    serverFields: { table: "file" },
    refusalAt: "file",
    save: async ({ reason }) => {
      const of = choice.current;
      try {
        return { of, found: (await read(table, reason.trim(), null))?.import ?? null };
      } catch (error) {
        // The refusal of a file says nothing about the one that was chosen meanwhile.
        if (of === choice.current) throw error;
        return { of, found: null };
      }
    },
    onSaved: ({ of, found }, values) => {
      // Nothing is stored yet: what was chosen and typed, also meanwhile, stays a change.
      const { reason, file } = form.getValues();
      form.reset({ reason: "", file: "" });
      form.setValue("reason", reason, { shouldDirty: true });
      form.setValue("file", file, { shouldDirty: true });
      if (of !== choice.current) return;
      setPreviewed(values.reason.trim());
      setOutdated(false);
      setPreview(found);
    },
  });
  const choose = async (file: File) => {
    choice.current += 1;
    const own = choice.current;
    setPreview(null);
    setTable("");
    setFileProblem(null);
    form.clearErrors("file");
    form.setValue("file", file.name, { shouldDirty: true });
    let found: ReturnType<typeof tableText>;
    try {
      found = tableText(new Uint8Array(await file.arrayBuffer()));
      if (own !== choice.current) return;
    } catch {
      if (own !== choice.current) return;
      // The file was moved or changed on the disk after it was chosen.
      setFileProblem(t("students.grades.table.unreadable"));
      return;
    }
    if ("problem" in found) setFileProblem(t(`students.grades.table.problems.${found.problem}`));
    else setTable(found.text);
  };
  const apply = async () => {
    if (!preview) return;
    setBusy(true);
    const of = choice.current;
    try {
      const answer = await read(table, previewed, preview.digest);
      if (answer?.conflict) {
        if (of !== choice.current) return;
        setOutdated(true);
        setPreview(answer.conflict.import);
      } else if (answer?.import) {
        form.reset({ reason: "", file: "" });
        setPreview(null);
        setDone(answer.import);
      }
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  if (done) return <Result courseId={courseId} done={done} read={read} />;
  const file = form.watch("file");
  const problem = fileProblem ?? form.formState.errors.file?.message;
  return (
    <div className={classes.view}>
      <h2 className={classes.title}>{t("students.grades.table.title")}</h2>
      <p className={classes.text}>{t("students.grades.table.text")}</p>
      <form {...form.props} className={classes.form}>
        <div>
          <div className={classes.file}>
            <Button
              type="button"
              variant="default"
              icon={<IconUpload size={18} />}
              aria-describedby={problem ? "grades-file-problem" : undefined}
              onClick={() => input.current?.click()}
            >
              {t(file ? "students.grades.table.another" : "students.grades.table.choose")}
            </Button>
            <span className={classes.name}>{file || t("students.grades.table.none")}</span>
          </div>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-label={t("students.grades.table.choose")}
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              // Without this, choosing the same file again fires no event.
              event.currentTarget.value = "";
              if (chosen) void choose(chosen);
            }}
          />
          {problem && (
            <p id="grades-file-problem" className={classes.problem} role="alert">
              {problem}
            </p>
          )}
        </div>
        <TextField
          label={t("students.grades.panel.reason")}
          description={t("students.grades.table.reasonHint")}
          autoComplete="off"
          {...form.field("reason", reasonProblem)}
        />
        {(!preview || form.watch("reason").trim() !== previewed) && (
          <div>
            <Button type="submit" loading={form.isBusy} disabled={table === ""}>
              {t("students.grades.table.check")}
            </Button>
          </div>
        )}
      </form>
      {preview && form.watch("reason").trim() === previewed && (
        <>
          {isOutdated && (
            <p className={classes.conflict} role="alert">
              {t("students.grades.table.outdated")}
            </p>
          )}
          <TablePreview courseId={courseId} table={preview} />
          <div className={classes.actions}>
            <Button loading={isBusy} disabled={preview.changes.length === 0} onClick={() => void apply()}>
              {t("students.grades.table.apply", { count: preview.changes.length })}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

const reasonProblem = (reason: string) =>
  isBlank(reason)
    ? "students.grades.reasonRequired"
    : countCharacters(reason.trim()) > REASON_MAX
      ? "students.grades.reasonTooLong"
      : null;

interface ResultProps extends Props {
  done: GradeTable;
  read: (
    table: string,
    reason: string,
    digest: string | null,
  ) => Promise<{ import: GradeTable | null } | undefined>;
}

/** What a table has changed, and the button that takes it back. */
function Result({ courseId, done, read }: ResultProps) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [undone, setUndone] = useState<number | null>(null);
  const undo = async () => {
    setBusy(true);
    try {
      const reason = t("students.grades.table.undoReason");
      const preview = (await read(undoTable(done.changes), reason, null))?.import;
      // A grade that somebody has decided on since stays as it is now.
      const left = preview ? stillThere(done.changes, preview) : [];
      const table = undoTable(left);
      const digest = left.length > 0 ? (await read(table, reason, null))?.import?.digest : undefined;
      const applied = digest === undefined ? null : (await read(table, reason, digest))?.import;
      setUndone(applied?.changes.length ?? 0);
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.view}>
      <div role="status">
        <h2 className={classes.title}>
          {undone === null
            ? t("students.grades.table.done", { count: done.changes.length })
            : t("students.grades.table.undone", { count: undone })}
        </h2>
      </div>
      {undone !== null && undone < done.changes.length && (
        <p className={classes.text}>{t("students.grades.table.notUndone")}</p>
      )}
      {undone === null && <TablePreview courseId={courseId} table={done} />}
      <div className={classes.actions}>
        {undone === null && (
          <Button variant="default" loading={isBusy} onClick={() => void undo()}>
            {t("students.grades.table.undo")}
          </Button>
        )}
      </div>
    </div>
  );
}
