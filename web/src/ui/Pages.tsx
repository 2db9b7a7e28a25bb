import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import classes from "./Pages.module.css";

interface Props {
  /** The parameter of the address that holds the number. */
  name?: "page" | "learning";
  label: string;
  shown: number;
  pages: number;
}

/** The way through a list of several pages, by the address of the screen it stands on; nothing for one. */
export function Pages({ name = "page", label, shown, pages }: Props) {
  const { t } = useTranslation();
  if (pages < 2) return null;
  const to = (page: number) => (before: Record<string, unknown>) => ({ ...before, [name]: page });
  return (
    <nav className={classes.pages} aria-label={label}>
      {shown > 1 && (
        <Link to="." search={to(shown - 1)} rel="prev">
          {t("ui.previousPage")}
        </Link>
      )}
      <span className={classes.count}>{t("ui.pageOf", { page: shown, pages })}</span>
      {shown < pages && (
        <Link to="." search={to(shown + 1)} rel="next">
          {t("ui.nextPage")}
        </Link>
      )}
    </nav>
  );
}
