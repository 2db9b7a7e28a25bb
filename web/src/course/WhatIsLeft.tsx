import { useTranslation } from "react-i18next";
import { pageTitle } from "../reading/pageTitle";
import { type Left, whyNotDone } from "./left";
import { pageHref, usePageLinks } from "./usePageLinks";
import classes from "./WhatIsLeft.module.css";

/** Of more pages the outline says it well enough. */
export const FEW_LEFT = 7;

/** The last pages before the end, each with what is missing: for who wonders what the missing percent is made of. */
export function WhatIsLeft({ left }: { left: readonly Left[] }) {
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
              {page.reason && <span className={classes.reason}>{whyNotDone(page.reason, t)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
