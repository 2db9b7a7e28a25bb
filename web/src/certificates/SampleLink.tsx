import { useTranslation } from "../i18n/useTranslation";
import classes from "./CertificateSettings.module.css";
import type { Design } from "./design";

/** The link to the sample that the server draws. */
export function SampleLink({ design }: { design: Design }) {
  const { t } = useTranslation();
  return (
    <a className={classes.sample} href={design.previewUrl} target="_blank" rel="noopener">
      {t("courseSettings.certificates.sample")}
    </a>
  );
}
