import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { FormDialog } from "../forms/FormDialog";
import { isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextArea } from "../ui/TextArea";
import { toastSuccess } from "../ui/toasts";
import { MoveStudentsByEmailDocument, type MoveStudentsByEmailMutation } from "./Groups.generated";
import classes from "./Groups.module.css";
import type { Group } from "./useGroups";

type Found = Pick<MoveStudentsByEmailMutation["moveStudentsByEmail"], "moved" | "unchanged" | "notFound">;

interface Props {
  courseId: string;
  group: Group;
  onClose: () => void;
}

/** The dialog that moves the students of a pasted list of addresses to a group: first it shows whom, then it moves them. */
export default function EmailsDialog({ courseId, group, onClose }: Props) {
  const { t } = useTranslation();
  const [move] = useMutation(MoveStudentsByEmailDocument);
  // What the server found in the text that is in the field now.
  const [found, setFound] = useState<(Found & { emails: string }) | null>(null);
  const form = useGuardedForm({
    name: "group-emails",
    subject: group.id,
    defaultValues: { emails: "" },
    save: async ({ emails }) => {
      const preview = found?.emails !== emails;
      const { data } = await move({
        variables: { input: { courseId, emails, groupId: group.id, preview } },
      });
      return { preview, result: data?.moveStudentsByEmail };
    },
    refusalAt: "emails",
    isOnce: true,
    onSaved: ({ preview, result }, { emails }) => {
      if (!result) return;
      if (preview) {
        setFound({ ...result, emails });
        // A preview stores nothing: closing the dialog still asks first.
        form.reset({ emails: "" });
        form.setValue("emails", emails, { shouldDirty: true });
        return;
      }
      form.reset({ emails: "" });
      toastSuccess(t("students.groups.movedTo", { count: result.moved.length, group: group.title }));
      onClose();
    },
  });
  const isShown = found !== null && found.emails === form.watch("emails");
  return (
    <FormDialog
      title={t("students.groups.emailsTitle", { group: group.title })}
      form={form}
      submit={
        isShown
          ? t("students.groups.moveFound", { count: found.moved.length })
          : t("students.groups.checkEmails")
      }
      disabled={isShown && found.moved.length === 0}
      className={classes.emails}
      onClose={onClose}
    >
      <p className={classes.outcome}>{t("students.groups.emailsHint")}</p>
      <TextArea
        label={t("students.groups.emails")}
        rows={6}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.field("emails", (text) => (isBlank(text) ? "students.groups.emailsRequired" : null))}
      />
      <div role="status">
        {isShown && (
          <>
            <p className={classes.outcome}>
              {t("students.groups.willMove", { count: found.moved.length })}
              {found.unchanged.length > 0 &&
                ` ${t("students.groups.alreadyIn", { count: found.unchanged.length })}`}
            </p>
            {found.notFound.length > 0 && (
              <>
                <p className={classes.outcome}>
                  {t("students.groups.notFound", { count: found.notFound.length })}
                </p>
                <ul className={classes.missing}>
                  {found.notFound.map((entry) => (
                    <li key={entry}>{entry}</li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </div>
    </FormDialog>
  );
}
