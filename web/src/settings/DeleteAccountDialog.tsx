import { useApolloClient, useMutation, useQuery } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { takeReturnPath } from "../api/returnPath";
import { endSession } from "../api/session";
import { QueryState } from "../errors/QueryState";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { unsubscribe } from "../push/browser";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Dialog } from "../ui/Dialog";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { type CourseOutcome, courseOutcomes } from "./courseOutcomes";
import { DeleteMeDocument, GiveCourseAwayDocument, OwnCoursesDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

/** Shows what happens to each course, offers to transfer them, and requires the account's email before deleting. */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { courses, error, refetch } = useOwnCourses();
  const [deleteMe] = useMutation(DeleteMeDocument);
  if (courses === undefined) {
    return (
      <Dialog open onClose={onClose} title={t("settings.delete.title")}>
        {
          <QueryState
            error={error}
            retry={() => void refetch()}
            heading="p"
            loading={<ListSkeleton rows={2} height="3.5rem" />}
          />
        }
      </Dialog>
    );
  }
  const found = courseOutcomes(courses);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("settings.delete.title")}
      confirm={t("settings.delete.confirm")}
      typed={email}
      danger
      onConfirm={async () => {
        await settleUndoable();
        await deleteMe();
        await unsubscribe().catch(() => undefined);
        toastSuccess(t("settings.delete.done"));
        endSession();
        // As after signing out: the next user begins at the home screen.
        takeReturnPath();
        await client.clearStore();
      }}
    >
      <p>{t("settings.delete.what")}</p>
      {found.length > 0 && (
        <>
          <p>{t("settings.delete.courses", { count: found.length })}</p>
          <ul className={classes.outcomes}>
            {found.map((outcome) => (
              <OutcomeRow key={outcome.course.id} outcome={outcome} given={() => void refetch()} />
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}

function OutcomeRow({ outcome, given }: { outcome: CourseOutcome; given: () => void }) {
  const { t } = useTranslation();
  const [giving, setGiving] = useState(false);
  const { course, students, kind, heir } = outcome;
  return (
    <li className={classes.outcome}>
      <div className={classes.fateWords}>
        <p className={classes.fateTitle}>{course.title}</p>
        <p>
          {kind === "goes" && t("settings.delete.goes")}
          {kind === "editor" &&
            t("settings.delete.toEditor", {
              count: students,
              students: t("common.students", { count: students }),
              heir,
            })}
          {kind === "superuser" &&
            t("settings.delete.toSuperuser", { students: t("common.students", { count: students }) })}
        </p>
      </div>
      {giving ? (
        <TransferForm outcome={outcome} given={given} />
      ) : (
        <Button
          variant="default"
          aria-label={t("settings.delete.giveOf", { course: course.title })}
          onClick={() => setGiving(true)}
        >
          {t("settings.delete.give")}
        </Button>
      )}
    </li>
  );
}

/** The field for the new owner's email. Not a form element, because it is inside the dialog's form. */
function TransferForm({ outcome: { course }, given }: { outcome: CourseOutcome; given: () => void }) {
  const { t } = useTranslation();
  const [give] = useMutation(GiveCourseAwayDocument);
  const form = useGuardedForm({
    name: "transfer-course",
    subject: course.id,
    defaultValues: { email: "" },
    save: ({ email }) => give({ variables: { input: { courseId: course.id, email: email.trim() } } }),
    refusalAt: "email",
    isOnce: true,
    onSaved: (_, { email }) => {
      toastSuccess(t("courseSettings.handOver.done", { email: email.trim() }));
      given();
    },
  });
  return (
    <div ref={form.element} className={classes.give}>
      <TextField
        type="email"
        aria-label={t("settings.delete.newOwnerOf", { course: course.title })}
        placeholder={t("courseSettings.handOver.email")}
        autoFocus
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key === "Enter") void form.submit(event);
        }}
        {...form.field("email", emailProblem)}
      />
      <Button variant="default" loading={form.isBusy} onClick={form.submit}>
        {t("settings.delete.give")}
      </Button>
    </div>
  );
}

/** Loads the user's courses in requests of 100, without the cache; undefined until all are loaded. */
function useOwnCourses() {
  const { data, error, refetch, fetchMore } = useQuery(OwnCoursesDocument, { fetchPolicy: "network-only" });
  const { hasNextPage, endCursor } = data?.myCourses.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage || !endCursor) return;
    fetchMore({ variables: { after: endCursor } }).catch(() => undefined);
  }, [fetchMore, hasNextPage, endCursor]);
  return { courses: hasNextPage === false ? data?.myCourses.nodes : undefined, error, refetch };
}
