import { useMutation, useQuery } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { RadioGroup } from "../ui/RadioGroup";
import { Select } from "../ui/Select";
import { failureText } from "../ui/toasts";
import { useDebouncedCallback } from "../ui/useDebouncedCallback";
import { useOnline } from "../ui/useOnline";
import {
  ConfirmImportDocument,
  CoursesToAppendToDocument,
  CourseToUpdateDocument,
  type ImportJob_JobFragment,
} from "./Imports.generated";
import classes from "./Imports.module.css";
import type { Start } from "./StartField";
import { lostText, UpdatePart, useChanges } from "./UpdatePart";

const StartField = lazy(() =>
  withTexts(import("./StartField"), "dates").then((module) => ({ default: module.StartField })),
);

/** What the headings of a document can begin, from level 1 on. */
const HEADINGS = ["page", "lesson,page", "module,lesson", "module,lesson,page"] as const;

/** Whether the headings of the file can be chosen: it is one document and not a folder. */
function isSingleDocument(filename: string): boolean {
  return /\.(docx|md|markdown|html?|xhtml)$/i.test(filename);
}

const READ_AGAIN_AFTER_MS = 500;

type Where = "new" | "append" | "update";
type Visibility = "draft" | "published";

const MODES = { new: "NEW", append: "APPEND", update: "UPDATE" } as const;

/** The form that confirms an import: a new course, an addition to a course, or an update of a course. */
export function ConfirmPart({ job }: { job: ImportJob_JobFragment }) {
  const { t } = useTranslation();
  const online = useOnline();
  const [where, setWhere] = useState<Where>(whereOf(job));
  const [course, setCourse] = useState(job.intoCourseId ?? "");
  const [visibility, setVisibility] = useState<Visibility>("draft");
  const [headings, setHeadings] = useState(job.headings ?? "");
  const given = job.startsAt?.slice(0, "2026-12-05T23:59".length) ?? null;
  const [start, setStart] = useState<Start>(given);
  const [isStartRefused, setStartRefused] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const { data } = useQuery(CoursesToAppendToDocument, { skip: where === "new" });
  const courses = data?.myCourses.nodes.filter(({ myRole }) => myRole === "OWNER" || myRole === "EDITOR");
  const [confirm, { loading }] = useMutation(ConfirmImportDocument);
  // The server compares the file with the course first, so that the user sees the changes before confirming an update.
  const isReady = job.state === "READY";
  const isStartNew = start !== null && start !== given;
  const compared =
    isReady && where === "update" && job.mode === "UPDATE" && job.intoCourseId === course && !isStartNew;
  const changes = useChanges(job.id, !compared);
  const updated = useQuery(CourseToUpdateDocument, { variables: { courseId: course }, skip: !compared });
  const title = updated.data?.course.title;
  const found = changes.data?.importPreview.changes;
  const send = async () => {
    const target = where === "new" ? { mode: MODES.new } : { mode: MODES[where], courseId: course };
    await confirm({
      variables: {
        input: {
          jobId: job.id,
          ...target,
          draft: visibility === "draft",
          ...(isStartNew && { startsAt: start }),
        },
      },
    });
  };
  // Not at once: with the keyboard, each arrow on the way to a choice is a choice.
  const readAgain = useDebouncedCallback(async (headings: string) => {
    try {
      await confirm({ variables: { input: { jobId: job.id, headings: headings || null } } });
    } catch (error) {
      setHeadings(job.headings ?? "");
      setProblem(failureText(error));
    }
  }, READ_AGAIN_AFTER_MS);
  const chooseHeadings = (next: string) => {
    setHeadings(next);
    setProblem(null);
    if (next === (job.headings ?? "")) readAgain.cancel();
    else readAgain(next);
  };
  const submit = async () => {
    if (where !== "new" && course === "") return setProblem(t("imports.chooseCourse"));
    setProblem(null);
    if (start === undefined) return setStartRefused(true);
    // The title must be typed when learners would lose data.
    if (compared && found && found.visits + found.attempts > 0) return setAsking(true);
    try {
      await send();
    } catch (error) {
      setProblem(failureText(error));
    }
  };
  const choose = (next: string) => {
    setCourse(next);
    setProblem(null);
  };
  // A superuser can import into another owner's course.
  const others = title && course && !courses?.some(({ id }) => id === course) ? [{ id: course, title }] : [];
  return (
    <>
      <section className={classes.part} aria-label={t("imports.where")}>
        <div className={classes.confirm}>
          <RadioGroup
            label={t("imports.where")}
            value={where}
            options={[
              { value: "new", label: t("imports.toNew") },
              { value: "append", label: t("imports.toAppend") },
              { value: "update", label: t("imports.toUpdate") },
            ]}
            onChange={setWhere}
          />
          {where !== "new" && (
            <Select
              label={t("imports.course")}
              className={classes.select}
              value={course}
              disabled={!courses}
              onChange={(event) => choose(event.currentTarget.value)}
              options={[
                { value: "", label: t(courses?.length === 0 ? "imports.noCourses" : "imports.chooseCourse") },
                ...[...others, ...(courses ?? [])].map(({ id, title }) => ({ value: id, label: title })),
              ]}
            />
          )}
          {isSingleDocument(job.filename) && (
            <Select
              label={t("imports.headings.label")}
              className={classes.select}
              value={headings}
              disabled={!online || !isReady || loading}
              onChange={(event) => chooseHeadings(event.currentTarget.value)}
              options={[
                { value: "", label: t("imports.headings.auto") },
                ...HEADINGS.map((value) => ({ value, label: t(`imports.headings.${value}`) })),
              ]}
            />
          )}
          <Suspense fallback={null}>
            <StartField
              className={classes.select}
              given={given}
              disabled={!isReady || loading}
              isRefused={isStartRefused}
              onChange={(start) => {
                setStart(start);
                setStartRefused(false);
              }}
            />
          </Suspense>
          {where !== "update" && (
            <>
              <RadioGroup
                label={t("imports.visibility")}
                value={visibility}
                options={[
                  { value: "draft", label: t("imports.asDraft") },
                  { value: "published", label: t("imports.asPublished") },
                ]}
                onChange={setVisibility}
              />
              <p className={classes.dim}>
                {t(visibility === "draft" ? "imports.draftText" : `imports.publishedText.${where}`)}
              </p>
            </>
          )}
          {where === "update" && !compared && <p className={classes.dim}>{t("imports.compareText")}</p>}
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
          <Button
            loading={loading}
            disabled={
              !online ||
              !isReady ||
              headings !== (job.headings ?? "") ||
              (compared && (!found || title === undefined))
            }
            onClick={() => void submit()}
            className={classes.submit}
          >
            {t(`imports.submit.${where === "update" && !compared ? "compare" : where}`)}
          </Button>
        </div>
      </section>
      {compared && <UpdatePart query={changes} />}
      {asking && found && title !== undefined && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title={t("imports.update.title", { course: title })}
          confirm={t("imports.submit.update")}
          typed={title}
          danger
          onConfirm={send}
        >
          <p>{t("imports.update.goes", { count: found.goes })}</p>
          <p>{t("imports.changes.lost", { what: lostText(found, t) })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function whereOf({ mode }: Pick<ImportJob_JobFragment, "mode">): Where {
  switch (mode) {
    case "UPDATE":
      return "update";
    case "APPEND":
      return "append";
    default:
      return "new";
  }
}
