import { useTranslation } from "../i18n/useTranslation";
import styles from "./Skeleton.module.css";

/** Placeholder of a loading page with the sizes of the real one, so that nothing moves when it arrives. */
export function Skeleton() {
  const { t } = useTranslation();
  return (
    <div className={styles.page} role="status" aria-label={t("common.loading")}>
      <div className={styles.trail} />
      <div className={styles.title} />
      <div className={styles.paragraph} />
      <div className={styles.paragraph} />
      <div className={styles.code} />
      <div className={styles.paragraph} />
      <div className={styles.paragraph} />
    </div>
  );
}
