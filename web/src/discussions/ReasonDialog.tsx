import { FormDialog } from "../forms/FormDialog";
import { countCharacters, isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { REASON_MAX } from "../limits.generated";
import { TextArea } from "../ui/TextArea";

interface Props {
  kind: "report" | "hide";
  postId: string;
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks why a post is reported or hidden. */
export function ReasonDialog({ kind, postId, onSend, onClose }: Props) {
  const { t } = useTranslation();
  const form = useGuardedForm({
    name: "post-reason",
    subject: `${kind}:${postId}`,
    defaultValues: { reason: "" },
    isOnce: true,
    refusalAt: "reason",
    save: ({ reason }) => onSend(reason.trim()),
    close: onClose,
  });
  return (
    <FormDialog
      title={t(`discussions.reason.${kind}.title`)}
      form={form}
      submit={t(`discussions.reason.${kind}.submit`)}
      onClose={onClose}
    >
      <TextArea
        label={t("discussions.reason.label")}
        description={t(`discussions.reason.${kind}.hint`)}
        rows={4}
        data-autofocus
        {...form.field("reason", (reason) =>
          isBlank(reason)
            ? "discussions.reason.required"
            : countCharacters(reason.trim()) > REASON_MAX
              ? "discussions.reason.tooLong"
              : null,
        )}
      />
    </FormDialog>
  );
}
