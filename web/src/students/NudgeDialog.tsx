import { useApolloClient } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { FormDialog } from "../forms/FormDialog";
import { countCharacters, isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { NUDGE_TEXT_MAX } from "../limits.generated";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { TextArea } from "../ui/TextArea";
import { toastSuccess } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import type { NudgeCandidatesQueryVariables } from "./Nudge.generated";
import classes from "./NudgeDialog.module.css";
import { listOf } from "./names";
import { type Candidate, isRecent, loadCandidates, nudge } from "./nudge";
import type { State } from "./state";

/** The students to nudge: selected ones, or all who match a filter. */
export type Nudged =
  | { kind: "chosen"; students: readonly Candidate[] }
  | { kind: "filter"; variables: NudgeCandidatesQueryVariables };

interface Props {
  course: { id: string; title: string };
  nudged: Nudged;
  /** The filter of the list, which selects the suggested text. */
  state: State | undefined;
  /** Called after students were nudged. */
  onDone: () => void;
  onClose: () => void;
}

/** The dialog that reminds students of the course. */
export default function NudgeDialog(props: Props) {
  const { t } = useTranslation();
  const { nudged, onClose } = props;
  const client = useApolloClient();
  const [loaded, setLoaded] = useState<readonly Candidate[] | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const [attempt, setAttempt] = useState(0);
  const variables = nudged.kind === "filter" ? nudged.variables : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request
  useEffect(() => {
    if (!variables) return;
    let isCurrent = true;
    loadCandidates(client, variables).then(
      (all) => isCurrent && setLoaded(all),
      (failure: unknown) => isCurrent && setError(failure),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, variables, attempt]);
  const students = nudged.kind === "chosen" ? nudged.students : loaded;
  if (students) return <NudgeForm {...props} students={students} />;
  return (
    <Dialog open onClose={onClose} title={t("students.nudge.title")}>
      <QueryState
        error={error}
        retry={() => {
          setError(undefined);
          setAttempt(attempt + 1);
        }}
        heading="p"
        loading={<TextSkeleton lines={8} />}
      />
    </Dialog>
  );
}

function NudgeForm({ course, students, state, onDone, onClose }: Props & { students: readonly Candidate[] }) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const [now] = useState(() => new Date());
  const recent = students.filter((one) => isRecent(one, now));
  const reached = students.filter((one) => !isRecent(one, now));
  const names = (some: readonly Candidate[]) =>
    listOf(
      some.map(({ name }) => name),
      t,
      i18n.language,
    );
  const form = useGuardedForm({
    name: "nudge",
    subject: course.id,
    defaultValues: { text: t(`students.nudge.text.${state ?? "chosen"}`, { course: course.title }) },
    isOnce: true,
    refusalAt: "text",
    save: ({ text }) =>
      nudge(
        client,
        course.id,
        reached.map(({ id }) => id),
        text.trim(),
      ),
    onSaved: ({ nudged, skipped }) => {
      const others = reached.filter(({ id }) => skipped.has(id));
      toastSuccess(
        [
          t("students.nudge.done", { count: nudged }),
          others.length > 0 && t("students.nudge.skippedNow", { names: names(others) }),
        ]
          .filter(Boolean)
          .join(" "),
      );
      onDone();
    },
    close: onClose,
  });
  return (
    <FormDialog
      title={t("students.nudge.title")}
      form={form}
      submit={t("students.nudge.send", { count: reached.length })}
      disabled={reached.length === 0 || !isOnline}
      className={classes.form}
      onClose={onClose}
    >
      <div className={classes.whom}>
        <p>
          {reached.length > 0
            ? t("students.nudge.reached", { count: reached.length, names: names(reached) })
            : t(students.length > 0 ? "students.nudge.nobodyNow" : "students.nudge.nobody")}
        </p>
        {recent.length > 0 && (
          <p className={classes.recent}>{t("students.nudge.recent", { names: names(recent) })}</p>
        )}
      </div>
      <TextArea
        label={t("students.nudge.field")}
        description={t("students.nudge.hint")}
        descriptionBelow
        rows={6}
        data-autofocus
        {...form.field("text", (text) =>
          isBlank(text)
            ? "students.nudge.required"
            : countCharacters(text.trim()) > NUDGE_TEXT_MAX
              ? "students.nudge.tooLong"
              : null,
        )}
      />
      {!isOnline && (
        <p className={classes.recent} role="status">
          {t("students.nudge.offline")}
        </p>
      )}
    </FormDialog>
  );
}
