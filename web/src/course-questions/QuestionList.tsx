import { type KeyboardEvent, useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./QuestionList.module.css";
import { QuestionRow } from "./QuestionRow";
import type { FilterName, ListedQuestion } from "./questions";

interface Props {
  courseId: string;
  rows: readonly ListedQuestion[];
  total: number;
  hasMore: boolean;
  isGrowing: boolean;
  filter: FilterName;
  /** The ID of the open question. */
  open: string | undefined;
  onMore: () => void;
}

/** The questions that a filter shows. The arrow keys move between them. */
export function QuestionList(props: Props) {
  const { courseId, rows, total, hasMore, isGrowing, filter, open, onMore } = props;
  const { t } = useTranslation();
  const now = useMinute();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a")];
    const next = links[links.indexOf(document.activeElement as HTMLElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <nav className={classes.nav} aria-label={t("courseQuestions.list")}>
      <p className={classes.count} role="status">
        {t("courseQuestions.count", { count: total })}
      </p>
      <ol className={classes.list} onKeyDown={onKeyDown}>
        {rows.map((question) => (
          <li key={question.id}>
            <QuestionRow
              courseId={courseId}
              question={question}
              filter={filter}
              isOpen={question.id === open}
              now={now}
            />
          </li>
        ))}
      </ol>
      {hasMore && (
        <Button variant="default" loading={isGrowing} onClick={onMore}>
          {t("courseQuestions.more")}
        </Button>
      )}
    </nav>
  );
}

/** The present, to the minute: the list says how long learners wait. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
