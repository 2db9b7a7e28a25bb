import { type ReactNode, useState } from "react";
import type { PageKind } from "../api/schema.generated";
import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconChevron } from "../ui/icons";
import { ProgressBar } from "../ui/ProgressBar";
import { Tick } from "../ui/Tick";
import { KindIcon } from "./KindIcon";
import { LessonMark } from "./LessonMark";
import classes from "./ProgressParts.module.css";

// Components that show the progress of one student, for the student and for teachers.

interface ProgressFiguresProps {
  progress: {
    percent: number;
    pagesDone: number;
    pagesTotal: number;
    lessonsDone: number;
    lessonsTotal: number;
  };
  /** The accessible name of the bar. */
  label: string;
}

/** Progress in percent, as a bar, and in pages and lessons. */
export function ProgressFigures({ progress, label }: ProgressFiguresProps) {
  const { t } = useTranslation();
  const { percent, pagesDone, pagesTotal, lessonsDone, lessonsTotal } = progress;
  return (
    <div className={classes.figures}>
      <p className={classes.percent}>{t("common.percent", { percent })}</p>
      <div>
        <ProgressBar percent={percent} label={label} />
        <p className={classes.counts}>
          {t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
          {" · "}
          {t("learning.lessonsOf", { done: lessonsDone, count: lessonsTotal })}
        </p>
      </div>
    </div>
  );
}

/** A row of `DateEntry` elements. */
export function DateList({ children }: { children: ReactNode }) {
  return <dl className={classes.moments}>{children}</dl>;
}

/** An event and its date; nothing while `at` is null. */
export function DateEntry({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <DateTime at={at} />
      </dd>
    </div>
  );
}

/** A date and time in words such as «вчера в 12:30», relative to the time of the first render. */
export function DateTime({ at }: { at: string }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  return formatDateTime(at, now, i18n.language, t);
}

interface ModuleProps {
  title: string;
  /** The heading level below the screen's own heading. */
  heading: "h2" | "h3";
  children: ReactNode;
}

/** A module: its title and its lessons. */
export function ModulePart({ title, heading: Heading, children }: ModuleProps) {
  return (
    <section className={classes.module} aria-label={title}>
      <Heading className={classes.moduleTitle}>{title}</Heading>
      {children}
    </section>
  );
}

interface LessonProps {
  title: string;
  isCompleted: boolean;
  done: number;
  total: number;
  /** What is missing; null for a completed lesson. */
  missing?: string | null;
  /** The lesson is expanded at first. */
  openAtFirst: boolean;
  /** `PageRow` elements. */
  children: ReactNode;
}

/** A collapsible lesson. */
export function LessonPart({ title, isCompleted, done, total, missing, openAtFirst, children }: LessonProps) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <div className={classes.lesson}>
      <button
        type="button"
        className={classes.lessonButton}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <LessonMark completed={isCompleted} />
        <span className={classes.lessonTitle}>
          {title}
          {missing && <span className={classes.missing}>{missing}</span>}
        </span>
        <span className={classes.count}>
          {done}/{total}
        </span>
        <IconChevron size={16} className={classes.chevron} />
      </button>
      {open && <ul className={classes.pages}>{children}</ul>}
    </div>
  );
}

interface PageProps {
  title: ReactNode;
  kind: PageKind;
  isDone: boolean;
  /** The date of the first visit, or a text that there was none. */
  visited: ReactNode;
  /** An action at the end of the row. */
  tools?: ReactNode;
  /** Content below the row: attempts, or what is missing. */
  children?: ReactNode;
}

/** A page of an expanded lesson. */
export function PageRow({ title, kind, isDone, visited, tools, children }: PageProps) {
  return (
    <li className={classes.page}>
      <div className={classes.pageHead}>
        <span className={classes.mark}>{isDone && <Tick className={classes.tick} />}</span>
        <span className={classes.pageTitle}>
          <KindIcon kind={kind} size={16} className={classes.kind} />
          {title}
        </span>
        <span className={classes.visited}>{visited}</span>
        {tools}
      </div>
      {children}
    </li>
  );
}
