import { useTranslation } from "../i18n/useTranslation";
import classes from "./CertificateDetails.module.css";
import { dayOf, lastDayOf } from "./day";
import type { Certificate_OwnFragment } from "./MyCertificate.generated";

/** What a certificate says. */
export function CertificateFacts({ certificate }: { certificate: Certificate_OwnFragment }) {
  const { t, i18n } = useTranslation();
  const { id, name, grade, awardedAt, expiresAt, timeZone, revokedAt, state } = certificate;
  // Days are in the zone of the certificate, as on its public page and in the PDF.
  const day = (iso: string) => dayOf(iso, i18n.language, timeZone);
  // Those that were revoked or replaced are not valid until then.
  const end = state === "VALID" || state === "EXPIRED" ? expiresAt : null;
  const facts = [
    [t("learning.certificate.facts.name"), name],
    [t("learning.certificate.facts.awarded"), day(awardedAt)],
    end !== null && [
      t(`learning.certificate.facts.${state === "EXPIRED" ? "expired" : "expires"}`),
      lastDayOf(end, i18n.language, timeZone),
    ],
    revokedAt && [t("learning.certificate.facts.revoked"), day(revokedAt)],
    grade && [t("learning.certificate.facts.grade"), grade],
  ].filter((fact) => Array.isArray(fact));
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={classes.number}>
        <dt>{t("learning.certificate.facts.number")}</dt>
        <dd>{id}</dd>
      </div>
    </dl>
  );
}
