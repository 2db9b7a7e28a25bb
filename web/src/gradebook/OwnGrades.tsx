import { useQuery } from "@apollo/client/react";
import { type ReactNode, useEffect, useId } from "react";
import { onReconnect } from "../api/live";
import type { CourseTreeQuery } from "../course/CourseScreen.generated";
import { pageTitle } from "../course/pageTitle";
import { isLocked, type Page } from "../course/remaining";
import { usePageHref, usePageLinks } from "../course/usePageLinks";
import { firstAhead } from "../dates/ahead";
import { useNow } from "../dates/useNow";
import { LoadFailure } from "../errors/LoadFailure";
import { QueryState } from "../errors/QueryState";
import { formatDateTime, momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { EmptyState } from "../ui/EmptyState";
import { IconList } from "../ui/laterIcons";
import { TextSkeleton } from "../ui/Skeletons";
import { shownDecimal } from "./grades";
import { OwnGradesDocument } from "./OwnGrades.generated";
import classes from "./OwnGrades.module.css";
import {
  gradedOf,
  mayCount,
  type OwnGrade,
  type OwnGradebook,
  type Part,
  partsOf,
  weightsOf,
} from "./ownGrades";

/** The grades tab of the course screen: the learner's own grades, where each comes from, and the grade of the course. */
export default function OwnGrades({ course }: { course: CourseTreeQuery["course"] }) {
  const { t } = useTranslation();
  // Grades must be up to date: cached ones are shown while they are fetched again.
  const { data, error, refetch } = useQuery(OwnGradesDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  const retry = () => void refetch().catch(() => undefined);
  useEffect(() => onReconnect(() => void refetch().catch(() => undefined)), [refetch]);
  // The server says what is missing once its due date has passed.
  const dueDates = data?.myGrades.grades.map(({ source, dueAt }) => (source === "NONE" ? dueAt : null)) ?? [];
  useNow((now) => firstAhead(dueDates, now), retry);
  if (!data)
    return <QueryState error={error} retry={retry} heading="h2" loading={<TextSkeleton lines={10} />} />;
  const book = data.myGrades;
  const pages = new Map(
    course.modules.flatMap((module) =>
      module.lessons.flatMap((lesson) => lesson.pages.map((page) => [page.id, page] as const)),
    ),
  );
  return (
    <>
      {error && <LoadFailure error={error} retry={retry} heading="h2" />}
      {book.grades.length === 0 && book.total.percent === null ? (
        <EmptyState title={t("learning.grades.empty")} heading="h2" icon={<IconList size={28} />}>
          {t("learning.grades.emptyText")}
        </EmptyState>
      ) : (
        <Grades book={book} pages={pages} />
      )}
    </>
  );
}

function Grades({ book, pages }: { book: OwnGradebook; pages: ReadonlyMap<string, Page> }) {
  const links = usePageLinks();
  return (
    <div {...links}>
      <Total book={book} />
      {partsOf(book).map((part) => (
        <PartOfGrades key={part.category?.categoryId ?? ""} part={part} book={book} pages={pages} />
      ))}
    </div>
  );
}

/** The grade of the course, with what it is made of. */
function Total({ book }: { book: OwnGradebook }) {
  const { t } = useTranslation();
  const percent = usePercent();
  const labelOf = useLabel();
  const id = useId();
  const { total, labels, thresholds } = book;
  const { graded, all } = gradedOf(book);
  const scheme = labels.map((label, at) => {
    const least = thresholds[at];
    return least === undefined
      ? t("learning.grades.below", { label: labelOf(label) })
      : t("learning.grades.from", { label: labelOf(label), percent: percent(least) });
  });
  return (
    <section className={classes.total} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {t("learning.grades.total")}
      </h2>
      {total.percent === null ? (
        <p className={classes.nothing}>{t("learning.grades.noTotal")}</p>
      ) : (
        <p className={classes.result}>
          {total.label !== null && (
            <>
              <strong className={classes.label}>{labelOf(total.label)}</strong>{" "}
            </>
          )}
          <span className={total.label === null ? classes.label : classes.percent}>
            {percent(total.percent)}
          </span>
        </p>
      )}
      {total.source === "OVERRIDE" && (
        <Decision
          text={t("learning.grades.decidedTotal")}
          at={book.decidedAt}
          reason={book.reason}
          rest={
            total.automatic !== null && t("learning.grades.byGrades", { percent: percent(total.automatic) })
          }
        />
      )}
      <p className={classes.note}>
        {t("learning.grades.graded", { graded, count: all })} {graded < all && t("learning.grades.soFar")}{" "}
        {t(book.missingCountsAsZero ? "learning.grades.missingIsZero" : "learning.grades.missingIsNothing")}
      </p>
      {scheme.length > 0 && (
        <p className={classes.note}>{t("learning.grades.scheme", { labels: scheme.join(", ") })}</p>
      )}
    </section>
  );
}

function PartOfGrades({
  part: { category, grades },
  book,
  pages,
}: {
  part: Part;
  book: OwnGradebook;
  pages: ReadonlyMap<string, Page>;
}) {
  const { t, i18n } = useTranslation();
  const percent = usePercent();
  const id = useId();
  const isLoose = category === null && book.categories.length > 0;
  const about = category
    ? [
        t("learning.grades.weight", {
          weight: shownDecimal(category.weight, i18n.language),
          all: shownDecimal(weightsOf(book.categories), i18n.language),
        }),
        category.dropLowest > 0 && t("learning.grades.drops", { count: category.dropLowest }),
      ].filter(Boolean)
    : isLoose
      ? [t("learning.grades.looseText")]
      : [];
  return (
    <section className={classes.part} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <h2 id={id} className={classes.title}>
            {category?.title ?? t(isLoose ? "learning.grades.loose" : "learning.grades.pages")}
          </h2>
          {about.length > 0 && <p className={classes.about}>{about.join(" · ")}</p>}
        </div>
        {category && (
          <p className={classes.sum}>
            {category.percent === null ? t("learning.grades.noSum") : percent(category.percent)}
          </p>
        )}
      </header>
      <ul className={classes.list}>
        {grades.map((grade) => (
          <GradeRow
            key={grade.pageId}
            grade={grade}
            page={pages.get(grade.pageId)}
            missing={mayCount(book, grade) ? (book.missingCountsAsZero ? "asZero" : "asNothing") : null}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  grade: OwnGrade;
  /** Undefined for a page that the course screen does not have yet. */
  page: Page | undefined;
  /** How it counts if it is missing; null for a page that counts nowhere, which says so itself. */
  missing: "asZero" | "asNothing" | null;
}

function GradeRow({ grade, page, missing }: RowProps) {
  const { t, i18n } = useTranslation();
  const href = usePageHref();
  const percent = usePercent();
  const number = (decimal: string) => shownDecimal(decimal, i18n.language);
  const title = grade.title ?? (page ? pageTitle(page, t) : grade.lessonTitle);
  const most = t("learning.grades.of", { most: number(grade.maxPoints) });
  return (
    <li className={classes.row} data-source={grade.source.toLowerCase()} data-dropped={grade.isDropped}>
      <div className={classes.what}>
        {page && !isLocked(page) ? (
          <a className={classes.page} href={href(page.id)}>
            {title}
          </a>
        ) : (
          <span className={classes.page}>{title}</span>
        )}
        <span className={classes.lesson}>{grade.lessonTitle}</span>
        <Origin grade={grade} missing={missing} />
        {grade.isDropped && <p className={classes.sign}>{t("learning.grades.dropped")}</p>}
        {grade.isExcluded && <p className={classes.sign}>{t("learning.grades.excluded")}</p>}
        {grade.extraCredit && !grade.isExcluded && (
          <p className={classes.sign}>{t("learning.grades.extra")}</p>
        )}
      </div>
      <p className={classes.points}>
        {grade.points === null ? (
          <span className={classes.none}>
            {t(grade.source === "EXCUSED" ? "learning.grades.excusedShort" : "learning.grades.none", {
              most,
            })}
          </span>
        ) : (
          <>
            <span className={classes.value}>{number(grade.points)}</span> {most}
            {grade.percent !== null && <span className={classes.share}>{percent(grade.percent)}</span>}
          </>
        )}
      </p>
    </li>
  );
}

/** Where a grade comes from, in words. */
function Origin({ grade, missing }: Pick<RowProps, "grade" | "missing">) {
  const { t, i18n } = useTranslation();
  const percent = usePercent();
  const now = useNow();
  const { source, automatic, penaltyPercent, dueAt } = grade;
  const late = penaltyPercent ? t("learning.grades.late", { percent: penaltyPercent }) : "";
  const due = dueAt && momentOf(dueAt, now, i18n.language);
  switch (source) {
    case "AUTOMATIC":
      return <p className={classes.origin}>{[t("learning.grades.best"), late].filter(Boolean).join(", ")}</p>;
    case "OVERRIDE":
    case "EXCUSED":
      return (
        <Decision
          text={t(source === "OVERRIDE" ? "learning.grades.decided" : "learning.grades.excused")}
          at={grade.decidedAt}
          reason={grade.reason}
          rest={
            automatic !== null &&
            [t("learning.grades.bestWas", { percent: percent(automatic) }), late].filter(Boolean).join(", ")
          }
        />
      );
    case "WAITING":
      return (
        <p className={classes.origin}>
          {[
            t("learning.grades.waiting"),
            automatic !== null && t("learning.grades.soFarPercent", { percent: percent(automatic) }),
            late,
          ]
            .filter(Boolean)
            .join(", ")}
        </p>
      );
    case "MISSING":
      return (
        <p className={classes.missing}>
          {due ? t("learning.grades.missingDue", { ...due }) : t("learning.grades.missing")}
          {missing !== null && `, ${t(`learning.grades.${missing}`)}`}
        </p>
      );
    case "NONE":
      return (
        <p className={classes.origin}>
          {t("learning.grades.notYet")}
          {due && `. ${t("dates.due", { ...due })}`}
        </p>
      );
  }
}

interface DecisionProps {
  text: string;
  at: string | null;
  reason: string | null;
  /** What would count without the decision. */
  rest: ReactNode;
}

/** What a teacher has decided, when, and why. */
function Decision({ text, at, reason, rest }: DecisionProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  return (
    <div className={classes.origin}>
      <p>
        {text}
        {at !== null && (
          <>
            {", "}
            <time dateTime={at}>{formatDateTime(at, now, i18n.language, t)}</time>
          </>
        )}
      </p>
      {reason && <blockquote className={classes.reason}>{reason}</blockquote>}
      {rest && <p>{rest}</p>}
    </div>
  );
}

function usePercent() {
  const { t, i18n } = useTranslation();
  return (decimal: string) => t("common.percent", { percent: shownDecimal(decimal, i18n.language) });
}

function useLabel() {
  const { t } = useTranslation();
  return (label: string) =>
    label === "pass" || label === "fail" ? t(`learning.grades.labels.${label}`) : label;
}
