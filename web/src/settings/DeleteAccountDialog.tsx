import { useApolloClient, useMutation, useQuery } from "@apollo/client/react";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { endSession } from "../api/session";
import { problems } from "../auth/rules";
import { LoadFailure } from "../errors/LoadFailure";
import { addWords } from "../i18n";
import { courseSettings } from "../i18n/ru/courseSettings";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Dialog } from "../ui/Dialog";
import { ListSkeleton } from "../ui/Skeletons";
import { failureText, toastSuccess } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { type Fate, fates } from "./fates";
import { DeleteMeDocument, GiveCourseAwayDocument, OwnCoursesDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

addWords({ courseSettings });

/** Says what becomes of each course, lets them be handed over, and asks for the address before it is done. */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { courses, error, refetch } = useOwnCourses();
  const [deleteMe] = useMutation(DeleteMeDocument);
  if (courses === undefined) {
    return (
      <Dialog open onClose={onClose} title={t("settings.delete.title")}>
        {error ? (
          <LoadFailure error={error} retry={() => void refetch()} heading="p" />
        ) : (
          <ListSkeleton rows={2} height="3.5rem" />
        )}
      </Dialog>
    );
  }
  const found = fates(courses);
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
        toastSuccess(t("settings.delete.done"));
        endSession();
        await client.clearStore();
      }}
    >
      <p>{t("settings.delete.what")}</p>
      {found.length > 0 && (
        <>
          <p>{t("settings.delete.courses", { count: found.length })}</p>
          <ul className={classes.fates}>
            {found.map((fate) => (
              <CourseFate key={fate.course.id} fate={fate} given={() => void refetch()} />
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}

function CourseFate({ fate, given }: { fate: Fate; given: () => void }) {
  const { t } = useTranslation();
  const [giving, setGiving] = useState(false);
  const { course, students, kind, heir } = fate;
  return (
    <li className={classes.fate}>
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
        <Give fate={fate} given={given} />
      ) : (
        <Button
          variant="default"
          size="sm"
          aria-label={t("settings.delete.giveOf", { course: course.title })}
          onClick={() => setGiving(true)}
        >
          {t("settings.delete.give")}
        </Button>
      )}
    </li>
  );
}

/** Whom the course goes to, by their address. It stands in a form already, so it is none itself. */
function Give({ fate: { course }, given }: { fate: Fate; given: () => void }) {
  const { t } = useTranslation();
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [give, { loading }] = useMutation(GiveCourseAwayDocument);
  const submit = async (event: SubmitEvent | React.SyntheticEvent) => {
    event.preventDefault();
    const [found] = problems("email", { email: to });
    setProblem(found ? t(`auth.errors.${found}`) : null);
    if (found) return;
    try {
      await give({ variables: { input: { courseId: course.id, email: to.trim() } } });
      toastSuccess(t("courseSettings.handOver.done", { email: to.trim() }));
      given();
    } catch (error) {
      setProblem(failureText(error));
    }
  };
  return (
    <div className={classes.give}>
      <TextInput
        type="email"
        aria-label={t("settings.delete.newOwnerOf", { course: course.title })}
        placeholder={t("courseSettings.handOver.email")}
        error={problem}
        value={to}
        autoFocus
        autoComplete="off"
        onChange={(event) => {
          setTo(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") void submit(event);
        }}
      />
      <Button variant="default" loading={loading} onClick={(event) => void submit(event)}>
        {t("settings.delete.give")}
      </Button>
    </div>
  );
}

/** Asked anew each time, a hundred at a time; undefined until all are there. */
function useOwnCourses() {
  const { data, error, refetch, fetchMore } = useQuery(OwnCoursesDocument, { fetchPolicy: "network-only" });
  const { hasNextPage, endCursor } = data?.myCourses.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage || !endCursor) return;
    fetchMore({ variables: { after: endCursor } }).catch(() => undefined);
  }, [fetchMore, hasNextPage, endCursor]);
  return { courses: hasNextPage === false ? data?.myCourses.nodes : undefined, error, refetch };
}
