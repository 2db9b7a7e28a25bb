import { useApolloClient } from "@apollo/client/react";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { CourseSnapshotsDocument, TakeSnapshotDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import { settleEdits } from "./settleEdits";
import { nameProblem } from "./snapshot";

/** The form that takes a snapshot with a name. */
export function TakeSnapshot({ courseId, isOnline }: { courseId: string; isOnline: boolean }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const form = useGuardedForm({
    name: "snapshot",
    subject: courseId,
    defaultValues: { name: "" },
    save: async ({ name }) => {
      await settleEdits(client, courseId);
      await client.mutate({
        mutation: TakeSnapshotDocument,
        variables: { input: { courseId, name: name.trim() } },
      });
    },
    refusalAt: "name",
    isOnce: true,
    onSaved: async (_, { name }) => {
      toastSuccess(t("snapshots.take.done", { name: name.trim() }));
      form.reset({ name: "" });
      // It is taken whether the list can be read again or not.
      await client.refetchQueries({ include: [CourseSnapshotsDocument] }).catch(() => undefined);
    },
  });
  return (
    <form className={classes.take} {...form.props} aria-label={t("snapshots.take.form")}>
      <TextField
        className={classes.grow}
        label={t("snapshots.nameLabel")}
        autoComplete="off"
        {...form.field("name", nameProblem)}
      />
      <Button type="submit" loading={form.isBusy} disabled={!isOnline}>
        {t("snapshots.take.button")}
      </Button>
    </form>
  );
}
