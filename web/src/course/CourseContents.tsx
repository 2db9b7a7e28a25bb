import { Link } from "@tanstack/react-router";
import { createContext, type KeyboardEvent, memo, useContext, useEffect, useRef, useState } from "react";
import { rememberCourseOfPages } from "../api/cache";
import { useTranslation } from "../i18n/useTranslation";
import { IconChevron } from "../ui/icons";
import { ProgressRing } from "../ui/ProgressRing";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./CourseContents.module.css";
import type { CourseTree_CourseFragment } from "./CourseTree.generated";
import { KindIcon } from "./KindIcon";
import { LessonMark } from "./LessonMark";
import { moveFocus } from "./moveFocus";
import { pageState } from "./pageState";
import { pageTitle } from "./pageTitle";
import { type PageMode, usePageHref, usePageLinks } from "./usePageLinks";

type Module = CourseTree_CourseFragment["modules"][number];
type Lesson = Module["lessons"][number];

interface Props {
  course: CourseTree_CourseFragment;
  currentPageId: string;
  /** Whether pages link to the reading screen, with completion marks, or to the editor. */
  mode: PageMode;
}

const Mode = createContext<PageMode>("view");

/** The address of the course screen. */
const COURSE = { view: "/view-course/$courseId", edit: "/edit-course/$courseId" } as const;

/** In a course with more lessons only the module of the current page is open at first. */
const MANY_LESSONS = 150;

/**
 * 'Содержание курса': modules, their lessons, their pages. Only open parts are in the document, and the browser lays out only
 * visible rows, so that a course of a thousand pages opens as fast as one of ten.
 */
export function CourseContents({ course, currentPageId, mode }: Props) {
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  const links = usePageLinks(mode);
  useEffect(() => rememberCourseOfPages(course.id, pageIds(course.modules)), [course.id, course.modules]);
  useEffect(() => {
    if (currentPageId)
      nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [currentPageId]);

  const { percent, pagesDone, pagesTotal, lessonsTotal } = course.progress;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };
  return (
    <nav
      ref={nav}
      className={classes.contents}
      aria-label={t("course.contents")}
      onKeyDown={onKeyDown}
      {...links}
    >
      <div className={classes.head}>
        {mode === "view" && (
          <ProgressRing percent={percent} label={t("course.progressOf", { percent, course: course.title })} />
        )}
        <div className={classes.titles}>
          <Link to={COURSE[mode]} params={{ courseId: course.id }} className={classes.course}>
            {course.title}
          </Link>
          <span className={classes.count}>
            {mode === "view"
              ? t("common.pagesOf", { done: pagesDone, count: pagesTotal })
              : t("common.pages", { count: pageIds(course.modules).length })}
          </span>
        </div>
      </div>
      <p className={classes.heading} aria-hidden="true">
        {t("course.contents")}
      </p>
      <Mode value={mode}>
        <ul className={classes.list}>
          {course.modules.map((module) => (
            <ModuleItem
              key={module.id}
              module={module}
              currentPageId={
                module.lessons.some((lesson) => holds(lesson, currentPageId)) ? currentPageId : null
              }
              openAtFirst={lessonsTotal <= MANY_LESSONS}
            />
          ))}
        </ul>
      </Mode>
    </nav>
  );
}

interface ModuleProps {
  module: Module;
  /** The current page; null when it is in another module. */
  currentPageId: string | null;
  openAtFirst: boolean;
}

const ModuleItem = memo(function ModuleItem({ module, currentPageId, openAtFirst }: ModuleProps) {
  const [open, setOpen] = useOpen(currentPageId !== null, openAtFirst);
  return (
    <li className={classes.module}>
      <button
        type="button"
        className={classes.moduleButton}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconChevron size={16} className={classes.chevron} />
        <span>{module.title}</span>
      </button>
      {open && (
        <ul className={classes.list}>
          {module.lessons.map((lesson) => (
            <LessonItem
              key={lesson.id}
              lesson={lesson}
              currentPageId={currentPageId !== null && holds(lesson, currentPageId) ? currentPageId : null}
            />
          ))}
        </ul>
      )}
    </li>
  );
});

const LessonItem = memo(function LessonItem({
  lesson,
  currentPageId,
}: {
  lesson: Lesson;
  currentPageId: string | null;
}) {
  const { t } = useTranslation();
  const mode = useContext(Mode);
  const reading = mode === "view";
  // Learners see no drafts, so neither does a preview, except of the draft itself.
  const counted = reading ? lesson.pages.filter((page) => page.published) : lesson.pages;
  const href = usePageHref(mode);
  const [open, setOpen] = useOpen(currentPageId !== null, false);
  return (
    <li className={classes.lesson}>
      <button
        type="button"
        className={classes.lessonButton}
        aria-expanded={open}
        data-done={`${counted.filter((page) => page.isCompleted).length}/${counted.length}`}
        onClick={() => setOpen(!open)}
      >
        {reading ? (
          <LessonMark completed={lesson.isCompleted} />
        ) : (
          <IconChevron size={16} className={classes.chevron} />
        )}
        <span className={classes.lessonTitle}>{lesson.title}</span>
      </button>
      {open && (
        <ul className={classes.pages}>
          {lesson.pages.map((page) => {
            if (!counted.includes(page) && page.id !== currentPageId) return null;
            const state = reading ? pageState(page) : undefined;
            return (
              <li key={page.id} className={classes.pageItem}>
                <a
                  // Without an address it is no link.
                  href={state === "locked" ? undefined : href(page.id)}
                  className={classes.page}
                  data-state={state}
                  aria-current={page.id === currentPageId ? "page" : undefined}
                >
                  <span>{pageTitle(page, t)}</span>
                  {state && state !== "new" && (
                    <VisuallyHidden>{t(`course.pageStates.${state}`)}</VisuallyHidden>
                  )}
                  <KindIcon kind={page.kind} size={16} />
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
});

/** The open state of a module or lesson: the user toggles it, and it opens when the current page moves inside. */
function useOpen(hasCurrent: boolean, openAtFirst: boolean) {
  const [open, setOpen] = useState(hasCurrent || openAtFirst);
  const [had, setHad] = useState(hasCurrent);
  if (had !== hasCurrent) {
    setHad(hasCurrent);
    if (hasCurrent) setOpen(true);
  }
  return [open, setOpen] as const;
}

function holds(lesson: Lesson, pageId: string): boolean {
  return lesson.pages.some((page) => page.id === pageId);
}

function pageIds(modules: readonly Module[]): string[] {
  return modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages.map((page) => page.id)));
}
