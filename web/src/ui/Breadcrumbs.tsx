import { Children, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Breadcrumbs.module.css";

/** Where one is, from the whole to the part: router links where there is a screen, words where there is none. */
export function Breadcrumbs({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("ui.breadcrumbs")}>
      <ol className={classes.trail}>{Children.map(children, (part) => part && <li>{part}</li>)}</ol>
    </nav>
  );
}
