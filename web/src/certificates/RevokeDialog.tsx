import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { countCharacters, isBlank } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { REASON_MAX } from "../limits.generated";
import { TextArea } from "../ui/TextArea";
import { toastSuccess } from "../ui/toasts";
import {
  type IssuedCertificate_RowFragment,
  RevokeCertificateDocument,
} from "./IssuedCertificates.generated";
import classes from "./RevokeDialog.module.css";

interface Props {
  issued: IssuedCertificate_RowFragment;
  onRevoked: () => void;
  onClose: () => void;
}

/** Asks why a certificate is revoked, and revokes it. */
export function RevokeDialog({ issued: { certificate }, onRevoked, onClose }: Props) {
  const { t } = useTranslation();
  const [revoke] = useMutation(RevokeCertificateDocument);
  const form = useGuardedForm({
    name: "certificate-revocation",
    subject: certificate.id,
    defaultValues: { reason: "" },
    isOnce: true,
    refusalAt: "reason",
    save: ({ reason }) =>
      revoke({ variables: { input: { certificateId: certificate.id, reason: reason.trim() } } }),
    onSaved: () => {
      toastSuccess(t("courseSettings.certificates.issued.revoked", { name: certificate.name }));
      onRevoked();
    },
    close: onClose,
  });
  return (
    <FormDialog
      title={t("courseSettings.certificates.issued.revokeTitle", { name: certificate.name })}
      form={form}
      submit={t("courseSettings.certificates.issued.revokeConfirm")}
      className={classes.form}
      onClose={onClose}
    >
      <p className={classes.text}>{t("courseSettings.certificates.issued.revokeText")}</p>
      <TextArea
        label={t("courseSettings.certificates.issued.reason")}
        description={t("courseSettings.certificates.issued.reasonHint")}
        rows={4}
        data-autofocus
        {...form.field("reason", (reason) =>
          isBlank(reason)
            ? "courseSettings.certificates.issued.reasonRequired"
            : countCharacters(reason.trim()) > REASON_MAX
              ? "courseSettings.certificates.issued.reasonLong"
              : null,
        )}
      />
    </FormDialog>
  );
}
