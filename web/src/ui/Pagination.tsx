import { Link } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Pagination.module.css";

interface Props {
  /** The search parameter that holds the page number. */
  name?: "page" | "learning";
  label: string;
  shown: number;
  pages: number;
}

/** Links to the previous and next page of a list, on the current screen's address. Renders nothing for a single page. */
export function Pagination({ name = "page", label, shown, pages }: Props) {
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
