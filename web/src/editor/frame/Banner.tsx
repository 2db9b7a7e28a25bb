import type { ReactNode } from "react";
import styles from "./Frame.module.css";

interface Props {
  kind?: "warn" | "note" | "danger";
  text: ReactNode;
  children?: ReactNode;
}

/** A message about the page that stays until the author has dealt with it. */
export function Banner({ kind = "warn", text, children }: Props) {
  return (
    <div className={styles.banner} data-kind={kind} role={kind === "note" ? "status" : "alert"}>
      <p className={styles.bannerText}>{text}</p>
      {children && <div className={styles.bannerActions}>{children}</div>}
    </div>
  );
}
