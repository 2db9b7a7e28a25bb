import { useTranslation } from "react-i18next";
import styles from "./Skeleton.module.css";

/** The page's outline while it is on its way: the same places and sizes, so that nothing jumps when it comes. */
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
