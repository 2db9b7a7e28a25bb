import type { ReactNode } from "react";
import styles from "./Frame.module.css";

interface Props {
  kind?: "warn" | "note" | "danger";
  text: ReactNode;
  children?: ReactNode;
}

/** Something about the text that the author has to know or to decide; stays until it is. */
export function Banner({ kind = "warn", text, children }: Props) {
  return (
    <div className={styles.banner} data-kind={kind} role={kind === "note" ? "status" : "alert"}>
      <p className={styles.bannerText}>{text}</p>
      {children && <div className={styles.bannerActions}>{children}</div>}
    </div>
  );
}
