import { PartTimes } from "../dates/PartTimes";
import { useTranslation } from "../i18n/useTranslation";
import { pageTitle } from "./pageTitle";
import classes from "./RemainingPages.module.css";
import { incompleteReason, isLocked, type RemainingPage } from "./remaining";
import { usePageHref, usePageLinks } from "./usePageLinks";

/** With more remaining pages the outline suffices. */
export const MAX_REMAINING_SHOWN = 7;

interface Props {
  left: readonly RemainingPage[];
  /** The time zone of the course. */
  zone: string | null;
}

/** The last remaining pages of a course, each with what is missing. */
export function RemainingPages({ left, zone }: Props) {
  const { t } = useTranslation();
  const links = usePageLinks();
  const href = usePageHref();
  return (
    <section className={classes.left} aria-labelledby="left" {...links}>
      <h2 className={classes.heading} id="left">
        {t("learning.left.heading")}
      </h2>
      <ul className={classes.list}>
        {left.map(({ page, lesson }) => (
          <li key={page.id}>
            <a href={isLocked(page) ? undefined : href(page.id)} className={classes.page}>
              <span className={classes.title}>{pageTitle(page, t)}</span>
              <span className={classes.lesson}>{lesson.title}</span>
              <span className={classes.reason}>
                {page.reason && !isLocked(page) && incompleteReason(page.kind, page.reason, t)}
                <PartTimes times={page.timeline} isDone={false} zone={zone} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
