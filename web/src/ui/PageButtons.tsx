import { useTranslation } from "../i18n/useTranslation";
import { Button } from "./Button";
import classes from "./PageButtons.module.css";

interface Props {
  label: string;
  /** From 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** Its place on the screen. */
  className?: string | undefined;
  variant?: "default" | "subtle";
}

/** Buttons to the previous and next page of a list that is only a part of its screen. Renders nothing for a single page. */
export function PageButtons({ label, page, pages, onPage, className, variant = "default" }: Props) {
  const { t } = useTranslation();
  if (pages < 2) return null;
  return (
    <nav className={className ? `${classes.pages} ${className}` : classes.pages} aria-label={label}>
      <Button variant={variant} disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t("ui.previousPage")}
      </Button>
      <span>{t("ui.pageOf", { page, pages })}</span>
      <Button variant={variant} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t("ui.nextPage")}
      </Button>
    </nav>
  );
}
