import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pageTitle } from "../course/pageTitle";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./ImportantChanges.module.css";
import type { UpcomingQuery } from "./Upcoming.generated";

interface Props {
  changes: UpcomingQuery["importantChanges"];
  /** How many are shown before the others are asked for. */
  shown: number;
}

/** The pages that the user has read and whose author has marked a later change as important. Each leads to its page. */
export default function ImportantChanges({ changes, shown }: Props) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const more = changes.length - shown;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" className={classes.heading}>
        {t("learning.changed.list")}
      </h2>
      <ul className={classes.list} ref={list}>
        {(isWhole ? changes : changes.slice(0, shown)).map(({ page, course, changedAt }) => (
          <li key={page.id} className={classes.row}>
            <Link to="/view-page/$pageId" params={{ pageId: page.id }} className={classes.page}>
              {pageTitle(page, t)}
            </Link>
            <span className={classes.facts}>
              <span className={classes.course}>{course.title}</span>
              <time dateTime={changedAt}>{formatDateTime(changedAt, now, i18n.language, t)}</time>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && !isWhole && (
        <Button
          variant="subtle"
          className={classes.more}
          onClick={() => {
            flushSync(() => setWhole(true));
            list.current?.querySelectorAll("a")[shown]?.focus();
          }}
        >
          {t("learning.changed.more", { count: more })}
        </Button>
      )}
    </section>
  );
}
