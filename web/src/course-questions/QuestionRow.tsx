import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { pageTitle } from "../course/pageTitle";
import { ageOf } from "../grading/queue";
import { useTranslation } from "../i18n/useTranslation";
import { shortText } from "../quiz/shortText";
import { Tag } from "../ui/Rows";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./QuestionList.module.css";
import { FIRST, type FilterName, isLong, type ListedQuestion, waitOf } from "./questions";

/** Characters of a question that its row shows at most. */
const SHOWN = 160;

/** The beginning of a question. */
export function wordsOf({ question: { body } }: ListedQuestion, t: TFunction): string {
  if (body === null) return t("courseQuestions.row.deleted");
  return shortText(body, SHOWN) || t("courseQuestions.row.noWords");
}

function nameOf({ question }: ListedQuestion, t: TFunction): string {
  if (question.author) return question.author.fullName || t("courseQuestions.row.nameless");
  return t(question.isAnonymous ? "courseQuestions.row.anonymous" : "courseQuestions.row.gone");
}

interface Props {
  courseId: string;
  question: ListedQuestion;
  filter: FilterName;
  isOpen: boolean;
  now: Date;
}

/** A question by its first words, who asked it where, and how long it waits. The whole row is a link. */
export function QuestionRow({ courseId, question, filter, isOpen, now }: Props) {
  const { t, i18n } = useTranslation();
  const { id, page, audience, replyCount, reportCount, waitingSince, resolvedAt, activeAt } = question;
  const wait = waitingSince && !resolvedAt ? waitOf(waitingSince, now) : null;
  return (
    <Link
      className={classes.row}
      to="/edit-course/$courseId"
      params={{ courseId }}
      search={{ tab: "questions", ...(filter !== FIRST && { view: filter }), question: id }}
      resetScroll={false}
      aria-current={isOpen ? "true" : undefined}
      data-question={id}
      data-unread={question.isUnread || undefined}
    >
      <span className={classes.words}>
        {question.isUnread && <VisuallyHidden>{`${t("courseQuestions.row.unread")}: `}</VisuallyHidden>}
        {wordsOf(question, t)}
      </span>
      <span className={classes.about}>
        {nameOf(question, t)}
        {" · "}
        {pageTitle(page, t)}
      </span>
      <span className={classes.facts}>
        {wait ? (
          <time
            dateTime={waitingSince ?? undefined}
            className={classes.wait}
            data-long={isLong(wait) || undefined}
          >
            {wait.unit === "now"
              ? t("courseQuestions.waits.now")
              : t(`courseQuestions.waits.${wait.unit}`, { count: wait.count })}
          </time>
        ) : (
          <time dateTime={activeAt} className={classes.dim}>
            {ageOf(activeAt, now, i18n.language)}
          </time>
        )}
        {replyCount > 0 && (
          <span className={classes.dim}>{t("courseQuestions.row.replies", { count: replyCount })}</span>
        )}
        {reportCount > 0 && <Tag warn>{t("courseQuestions.row.reports", { count: reportCount })}</Tag>}
        {question.question.hiddenAt && <Tag quiet>{t("courseQuestions.row.hidden")}</Tag>}
        {audience === "TEACHERS" && filter !== "private" && (
          <Tag quiet>{t("courseQuestions.row.private")}</Tag>
        )}
        {resolvedAt && filter !== "resolved" && <Tag quiet>{t("courseQuestions.row.resolved")}</Tag>}
        {question.isPinned && <Tag quiet>{t("courseQuestions.row.pinned")}</Tag>}
        {question.isLocked && <Tag quiet>{t("courseQuestions.row.locked")}</Tag>}
      </span>
    </Link>
  );
}
