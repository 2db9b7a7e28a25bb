import type { TFunction } from "i18next";
import { memo, useCallback, useState } from "react";
import { PartTimes } from "../dates/PartTimes";
import type { Times } from "../dates/times";
import { useTranslation } from "../i18n/useTranslation";
import { IconChevron } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./CourseOutline.module.css";
import { KindIcon } from "./KindIcon";
import { LessonMark } from "./LessonMark";
import { moveFocus } from "./moveFocus";
import { pageTitle } from "./pageTitle";
import {
  incompleteReason,
  isLocked,
  type Lesson,
  type Module,
  type Page,
  remainingInLesson,
  stateOf,
} from "./remaining";
import { usePageHref, usePageLinks } from "./usePageLinks";

interface Props {
  modules: readonly Module[];
  /** The times of the course, which its screen shows. */
  times: Times;
  /** The time zone of the course. */
  zone: string | null;
  /** The next page: its lesson is open at first. */
  nextPageId: string | undefined;
  /** All lessons are open at first. */
  expanded: boolean;
  /** Shows what is missing in each lesson; only for enrolled users. */
  isEnrolled: boolean;
}

/** The outline on the course screen: modules as sections, collapsible lessons, pages with their states. */
export function CourseOutline({ modules, times, zone, nextPageId, expanded, isEnrolled }: Props) {
  const { t } = useTranslation();
  const lessons = modules.flatMap((module) => module.lessons);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(openAtFirst(lessons, nextPageId, expanded)),
  );
  const links = usePageLinks();
  const toggle = useCallback((id: string) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const allOpen = lessons.every((lesson) => open.has(lesson.id));
  return (
    <section
      aria-label={t("course.contents")}
      {...links}
      onKeyDown={(event) => {
        if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
      }}
    >
      <div className={classes.head}>
        <h2 className={classes.heading}>{t("course.contents")}</h2>
        <button
          type="button"
          className={classes.all}
          onClick={() => setOpen(allOpen ? new Set() : new Set(lessons.map((lesson) => lesson.id)))}
        >
          {t(allOpen ? "learning.collapseAll" : "learning.expandAll")}
        </button>
      </div>
      {modules.map((module) => (
        <section key={module.id} className={classes.module} aria-label={module.title}>
          <div className={classes.moduleHead}>
            {module.avatarUrl && (
              <img className={classes.avatar} src={module.avatarUrl} alt="" width={44} height={44} />
            )}
            <div>
              <h3 className={classes.moduleTitle}>{module.title}</h3>
              {module.description && <p className={classes.moduleText}>{module.description}</p>}
              <PartTimes
                times={module.timeline}
                above={times}
                isDone={!isEnrolled || module.lessons.every(({ isCompleted }) => isCompleted)}
                zone={zone}
              />
            </div>
          </div>
          <ul className={classes.lessons}>
            {module.lessons.map((lesson) => (
              <LessonRow
                key={lesson.id}
                lesson={lesson}
                above={module.timeline}
                zone={zone}
                open={open.has(lesson.id)}
                isEnrolled={isEnrolled}
                toggle={toggle}
                nextPageId={lesson.pages.some((page) => page.id === nextPageId) ? nextPageId : undefined}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

interface LessonRowProps {
  lesson: Lesson;
  /** The times of its module, which are shown there. */
  above: Times;
  zone: string | null;
  open: boolean;
  isEnrolled: boolean;
  toggle: (lessonId: string) => void;
  /** The next page; undefined when it is in another lesson. */
  nextPageId: string | undefined;
}

const LessonRow = memo(function LessonRow({
  lesson,
  above,
  zone,
  open,
  isEnrolled,
  toggle,
  nextPageId,
}: LessonRowProps) {
  const { t, i18n } = useTranslation();
  const href = usePageHref();
  const done = lesson.pages.filter((page) => page.isCompleted).length;
  const missing =
    lesson.pages.length === 0
      ? t("learning.noPages")
      : // Before a lesson is begun, its count says the same.
        isEnrolled && lesson.pages.some((page) => page.isVisited)
        ? remainingInLesson(lesson, i18n.language, t)
        : null;
  return (
    <li className={classes.lesson}>
      <button
        type="button"
        className={classes.lessonButton}
        aria-expanded={open}
        onClick={() => toggle(lesson.id)}
      >
        <LessonMark completed={lesson.isCompleted} />
        <span className={classes.lessonTitle}>
          {lesson.title}
          {missing && <span className={classes.missing}>{missing}</span>}
          <PartTimes
            times={lesson.timeline}
            above={above}
            isDone={!isEnrolled || lesson.isCompleted}
            zone={zone}
          />
        </span>
        {lesson.pages.length > 0 && (
          <span className={classes.lessonCount}>
            {done}/{lesson.pages.length}
          </span>
        )}
        <IconChevron size={16} className={classes.chevron} />
      </button>
      {open && (
        <ul className={classes.pages}>
          {lesson.pages.map((page) => (
            <li key={page.id} className={classes.pageItem}>
              <a
                // Without an address it is no link.
                href={isLocked(page) ? undefined : href(page.id)}
                className={classes.page}
                data-state={stateOf(page)}
                data-next={page.id === nextPageId || undefined}
              >
                <span className={classes.dot} />
                <span className={classes.pageTitle}>
                  {pageTitle(page, t)}
                  <PartTimes
                    times={page.timeline}
                    above={lesson.timeline}
                    isDone={!isEnrolled || page.isCompleted}
                    zone={zone}
                  />
                  {isEnrolled && page.reason?.kind === "QUIZ_NOT_PASSED" && (
                    <span className={classes.missing}>{incompleteReason(page.kind, page.reason, t)}</span>
                  )}
                </span>
                {stateOf(page) !== "new" && <VisuallyHidden>{stateText(page, t)}</VisuallyHidden>}
                {page.kind !== "CONTENT" && (
                  <span className={classes.kind}>
                    <KindIcon kind={page.kind} size={16} />
                    {t(`learning.kinds.${page.kind}`)}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
});

function stateText(page: Page, t: TFunction): string {
  const state = stateOf(page);
  return state === "failed" ? t("learning.failed") : t(`course.pageStates.${state}`);
}

function openAtFirst(
  lessons: readonly Lesson[],
  nextPageId: string | undefined,
  expanded: boolean,
): string[] {
  const shown = expanded
    ? lessons
    : lessons.filter((lesson) => lesson.pages.some((page) => page.id === nextPageId));
  return (shown.length > 0 ? shown : lessons.slice(0, 1)).map((lesson) => lesson.id);
}
