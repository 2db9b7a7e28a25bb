import { useMutation, useQuery } from "@apollo/client/react";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Choice } from "../ui/Choice";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import {
  ConfirmImportDocument,
  CoursesToAppendToDocument,
  CourseToUpdateDocument,
  type ImportJob_JobFragment,
} from "./Imports.generated";
import classes from "./Imports.module.css";
import { lostText, UpdatePart, useChanges } from "./UpdatePart";

type Where = "new" | "append" | "update";

const MODES = { new: "NEW", append: "APPEND", update: "UPDATE" } as const;

/** Where what was read goes: a course of its own, the end of one that is there, or the place of what one says. */
export function ConfirmPart({ job }: { job: ImportJob_JobFragment }) {
  const { t } = useTranslation();
  const online = useOnline();
  const [where, setWhere] = useState<Where>(whereOf(job));
  const [course, setCourse] = useState(job.intoCourseId ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const { data } = useQuery(CoursesToAppendToDocument, { skip: where === "new" });
  const courses = data?.myCourses.nodes.filter(({ myRole }) => myRole === "OWNER" || myRole === "EDITOR");
  const [confirm, { loading }] = useMutation(ConfirmImportDocument);
  // An update is looked at before it is confirmed, so the server compares the course first.
  const compared = where === "update" && job.mode === "UPDATE" && job.intoCourseId === course;
  const changes = useChanges(job.id, !compared);
  const updated = useQuery(CourseToUpdateDocument, { variables: { courseId: course }, skip: !compared });
  const title = updated.data?.course.title;
  const found = changes.data?.importPreview.changes;
  const send = async () => {
    const target = where === "new" ? { mode: MODES.new } : { mode: MODES[where], courseId: course };
    await confirm({ variables: { input: { jobId: job.id, ...target } } });
  };
  const submit = async () => {
    if (where !== "new" && course === "") return setProblem(t("imports.chooseCourse"));
    setProblem(null);
    // What learners would lose takes the typed title.
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
  // A superuser may be here for a course of somebody else's.
  const others = title && course && !courses?.some(({ id }) => id === course) ? [{ id: course, title }] : [];
  return (
    <>
      <section className={classes.part} aria-label={t("imports.where")}>
        <div className={classes.confirm}>
          <Choice
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
            <NativeSelect
              label={t("imports.course")}
              className={classes.select}
              value={course}
              disabled={!courses}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[
                { value: "", label: t(courses?.length === 0 ? "imports.noCourses" : "imports.chooseCourse") },
                ...[...others, ...(courses ?? [])].map(({ id, title }) => ({ value: id, label: title })),
              ]}
            />
          )}
          {where === "update" && !compared && <p className={classes.dim}>{t("imports.compareText")}</p>}
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
          <Button
            loading={loading}
            disabled={!online || (compared && (!found || title === undefined))}
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
