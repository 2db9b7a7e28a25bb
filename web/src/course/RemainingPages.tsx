import { useTranslation } from "../i18n/useTranslation";
import { pageTitle } from "./pageTitle";
import classes from "./RemainingPages.module.css";
import { incompleteReason, type RemainingPage } from "./remaining";
import { pageHref, usePageLinks } from "./usePageLinks";

/** With more remaining pages the outline suffices. */
export const MAX_REMAINING_SHOWN = 7;

/** The last remaining pages of a course, each with what is missing. */
export function RemainingPages({ left }: { left: readonly RemainingPage[] }) {
  const { t } = useTranslation();
  const links = usePageLinks();
  return (
    <section className={classes.left} aria-labelledby="left" {...links}>
      <h2 className={classes.heading} id="left">
        {t("learning.left.heading")}
      </h2>
      <ul className={classes.list}>
        {left.map(({ page, lesson }) => (
          <li key={page.id}>
            <a href={pageHref(page.id)} className={classes.page}>
              <span className={classes.title}>{pageTitle(page, t)}</span>
              <span className={classes.lesson}>{lesson.title}</span>
              {page.reason && <span className={classes.reason}>{incompleteReason(page.reason, t)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
