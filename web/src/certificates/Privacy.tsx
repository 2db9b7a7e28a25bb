import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { toastFailure } from "../ui/toasts";
import classes from "./CertificateDetails.module.css";
import { type Certificate_OwnFragment, SetCertificatePrivacyDocument } from "./MyCertificate.generated";

const FLAGS = ["isNameShown", "isGradeShown"] as const;
type Flags = Partial<Record<(typeof FLAGS)[number], boolean>>;

/** What the public page of a certificate shows. A change is stored at once. */
export function Privacy({ certificate }: { certificate: Certificate_OwnFragment }) {
  const { t } = useTranslation();
  /** What is on its way to the server. */
  const [sending, setSending] = useState<Flags>({});
  const [set] = useMutation(SetCertificatePrivacyDocument);
  const change = async (flags: Flags) => {
    setSending((before) => ({ ...before, ...flags }));
    try {
      await set({ variables: { input: { certificateId: certificate.id, ...flags } } });
    } catch (error) {
      toastFailure(error);
    }
    const sent = Object.keys(flags);
    setSending((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !sent.includes(name))),
    );
  };
  const hasPdf = certificate.state !== "REVOKED";
  return (
    <fieldset className={classes.privacy}>
      <legend>{t("learning.certificate.privacy.legend")}</legend>
      {FLAGS.filter((name) => name === "isNameShown" || certificate.grade !== null).map((name) => (
        <Checkbox
          key={name}
          label={t(`learning.certificate.privacy.${name === "isNameShown" && !hasPdf ? "name" : name}`)}
          hint={t(`learning.certificate.privacy.${name}Hint`)}
          checked={sending[name] ?? certificate[name]}
          onChange={(event) => void change({ [name]: event.currentTarget.checked })}
        />
      ))}
      <p className={classes.hint}>{t("learning.certificate.privacy.badges")}</p>
    </fieldset>
  );
}
