import { Children, type ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Breadcrumbs.module.css";

/** The path to the current screen: router links, or plain text for parts without a screen. */
export function Breadcrumbs({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("ui.breadcrumbs")}>
      <ol className={classes.trail}>{Children.map(children, (part) => part && <li>{part}</li>)}</ol>
    </nav>
  );
}
