import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { when } from "../i18n/when";
import { IconChevron, IconQuiz } from "../ui/icons";
import { ProgressBar } from "../ui/ProgressBar";
import { Tick } from "../ui/Tick";
import { LessonMark } from "./LessonMark";
import classes from "./Way.module.css";

// What somebody's way through a course is shown with, to the one who goes it and to those who teach.

interface FiguresProps {
  progress: {
    percent: number;
    pagesDone: number;
    pagesTotal: number;
    lessonsDone: number;
    lessonsTotal: number;
  };
  /** Names the bar to those who listen. */
  label: string;
}

/** How far: in per cent, as a bar, in pages and lessons. */
export function Figures({ progress, label }: FiguresProps) {
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
          {t("common.lessonsOf", { done: lessonsDone, count: lessonsTotal })}
        </p>
      </div>
    </div>
  );
}

/** The days of a way, `Moment`s, side by side. */
export function Moments({ children }: { children: ReactNode }) {
  return <dl className={classes.moments}>{children}</dl>;
}

/** What happened and when; nothing as long as it did not happen. */
export function Moment({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <When at={at} />
      </dd>
    </div>
  );
}

/** A time as one says it, counted from when it came onto the screen. */
export function When({ at }: { at: string }) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  return when(at, now, i18n.language, t);
}

interface ModuleProps {
  title: string;
  /** Below the heading of whose way it is. */
  heading: "h2" | "h3";
  children: ReactNode;
}

/** A module: its name and its lessons. */
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
  /** Why it is not completed. */
  missing?: string | null;
  /** There is something to look at. */
  openAtFirst: boolean;
  /** Its `PageRow`s. */
  children: ReactNode;
}

/** A lesson that opens and closes. */
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
  isQuiz: boolean;
  isDone: boolean;
  /** When it was first opened, or that it was not. */
  visited: ReactNode;
  /** Below it: attempts, or what is missing. */
  children?: ReactNode;
}

/** A page of an open lesson. */
export function PageRow({ title, isQuiz, isDone, visited, children }: PageProps) {
  return (
    <li className={classes.page}>
      <div className={classes.pageHead}>
        <span className={classes.mark}>{isDone && <Tick className={classes.tick} />}</span>
        <span className={classes.pageTitle}>
          {isQuiz && <IconQuiz size={16} className={classes.kind} />}
          {title}
        </span>
        <span className={classes.visited}>{visited}</span>
      </div>
      {children}
    </li>
  );
}
