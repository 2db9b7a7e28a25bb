import { useMutation, useQuery } from "@apollo/client/react";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Choice } from "../ui/Choice";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import {
  ConfirmImportDocument,
  CoursesToAppendToDocument,
  type ImportJob_JobFragment,
} from "./Imports.generated";
import classes from "./Imports.module.css";

type Where = "new" | "append";

/** Where what was read goes: a course of its own, or the end of one that is there. */
export function ConfirmPart({ job }: { job: ImportJob_JobFragment }) {
  const { t } = useTranslation();
  const online = useOnline();
  const [where, setWhere] = useState<Where>(job.intoCourseId ? "append" : "new");
  const [course, setCourse] = useState(job.intoCourseId ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const { data } = useQuery(CoursesToAppendToDocument, { skip: where === "new" });
  const courses = data?.myCourses.nodes.filter(({ myRole }) => myRole === "OWNER" || myRole === "EDITOR");
  const [confirm, { loading }] = useMutation(ConfirmImportDocument);
  const submit = async () => {
    if (where === "append" && course === "") return setProblem(t("imports.chooseCourse"));
    setProblem(null);
    const target = where === "new" ? { mode: "NEW" as const } : { mode: "APPEND" as const, courseId: course };
    try {
      await confirm({ variables: { input: { jobId: job.id, ...target } } });
    } catch (error) {
      setProblem(failureText(error));
    }
  };
  return (
    <section className={classes.part} aria-label={t("imports.where")}>
      <div className={classes.confirm}>
        <Choice
          label={t("imports.where")}
          value={where}
          options={[
            { value: "new", label: t("imports.toNew") },
            { value: "append", label: t("imports.toAppend") },
          ]}
          onChange={setWhere}
        />
        {where === "append" && (
          <NativeSelect
            label={t("imports.course")}
            className={classes.select}
            value={course}
            disabled={!courses}
            onChange={(event) => setCourse(event.currentTarget.value)}
            data={[
              { value: "", label: t(courses?.length === 0 ? "imports.noCourses" : "imports.chooseCourse") },
              ...(courses ?? []).map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
        )}
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <Button loading={loading} disabled={!online} onClick={() => void submit()} className={classes.submit}>
          {t(where === "new" ? "imports.makeCourse" : "imports.append")}
        </Button>
      </div>
    </section>
  );
}
