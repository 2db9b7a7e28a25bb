import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import { Button } from "../ui/Button";
import { IconReturn } from "../ui/laterIcons";
import { placeOf } from "./placeOf";
import classes from "./QueueList.module.css";
import { ageOf, answerKey, type Queue, type QueuedAnswer } from "./queue";

interface Props {
  className: string | undefined;
  course: Course;
  look: Look;
  queue: Queue;
  /** When the queue was read; ages are relative to it. */
  now: Date;
  isWaiting: boolean;
  isGrowing: boolean;
  /** Whether the filter selects one question. */
  hasQuestion: boolean;
  nameOf: (answer: QueuedAnswer) => string;
  /** Whether the page of an answer is an assignment. */
  isAssignment: (answer: Pick<QueuedAnswer, "pageId">) => boolean;
  onMore: () => void;
}

/** The answers of the queue, the oldest one first. */
export function QueueList(props: Props) {
  const { className, course, look, queue, now, isWaiting, isGrowing, hasQuestion, nameOf, onMore } = props;
  const { isAssignment } = props;
  const { t, i18n } = useTranslation();
  const { answers, total } = queue;
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
    <nav className={className} aria-label={t("grading.queue")}>
      <p className={classes.count} role="status">
        {t("grading.total", { count: total })}
      </p>
      {answers.length > 0 && (
        <ol className={classes.list} aria-busy={isWaiting || undefined} onKeyDown={onKeyDown}>
          {answers.map((answer) => {
            const key = answerKey(answer);
            return (
              <li key={key}>
                <Link
                  className={classes.row}
                  to="/edit-course/$courseId"
                  params={{ courseId: course.id }}
                  search={{ tab: "grading", ...look, answer: key }}
                  resetScroll={false}
                  aria-current={key === look.answer ? "true" : undefined}
                >
                  <span className={classes.name}>{nameOf(answer)}</span>
                  <span className={classes.about}>
                    {!hasQuestion && (
                      <>
                        {placeOf(answer, isAssignment(answer), t)}
                        {" · "}
                      </>
                    )}
                    {answer.attemptNo > 1 && (
                      <>
                        {t(isAssignment(answer) ? "grading.version" : "grading.attempt", {
                          number: answer.attemptNo,
                        })}
                        {" · "}
                      </>
                    )}
                    <time dateTime={answer.submittedAt}>{ageOf(answer.submittedAt, now, i18n.language)}</time>
                  </span>
                  {answer.isReturned && (
                    <span className={classes.returned}>
                      <IconReturn size={15} />
                      {t("grading.return.was")}
                    </span>
                  )}
                  {answer.points !== null && (
                    <span className={classes.points}>
                      {t("quiz.pointsOf", { points: answer.points, count: answer.maxPoints })}
                    </span>
                  )}
                  {answer.openedBy && (
                    <span className={classes.opened}>
                      {t("grading.openedBy", { name: answer.openedBy.fullName || t("grading.somebody") })}
                    </span>
                  )}
                </Link>
              </li>
            );
          })}
        </ol>
      )}
      {answers.length < total && answers.length > 0 && (
        <Button variant="default" loading={isGrowing} onClick={onMore}>
          {t("grading.more")}
        </Button>
      )}
    </nav>
  );
}
