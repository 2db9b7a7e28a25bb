import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LessonMark } from "../course/LessonMark";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { useTranslation } from "../i18n/useTranslation";
import { LanguageSwitch } from "../shell/LanguageSwitch";
import { ThemeToggle } from "../shell/ThemeToggle";
import mark from "../ui/kurso.svg";
import { ProgressBar } from "../ui/ProgressBar";
import classes from "./PublicLayout.module.css";

/** The layout of the public screens: the form and, on wide screens, a preview of a course beside it. */
export function PublicLayout({ children }: { children?: ReactNode }) {
  return (
    <div className={classes.layout}>
      <div className={classes.side}>
        <header className={classes.top}>
          <span className={classes.brand}>
            <img src={mark} alt="" width={28} height={28} />
            Kurso
          </span>
          <span className={classes.controls}>
            <LanguageSwitch />
            <ThemeToggle />
          </span>
        </header>
        <main className={classes.main}>
          <RegionBoundary>{children ?? <Outlet />}</RegionBoundary>
        </main>
      </div>
      <CoursePreview />
    </div>
  );
}

const COMPLETED_LESSONS = 3;

function CoursePreview() {
  const { t } = useTranslation();
  const lessons = t("auth.aside.lessons", { returnObjects: true });
  return (
    <div className={classes.coursePreview} aria-hidden="true">
      <p className={classes.line}>{t("auth.aside.line")}</p>
      <div className={classes.sheet}>
        <p className={classes.module}>{t("auth.aside.module")}</p>
        <ProgressBar percent={(COMPLETED_LESSONS / lessons.length) * 100} label="" />
        <ul className={classes.lessons}>
          {lessons.map((lesson, index) => (
            <li key={lesson}>
              <LessonMark completed={index < COMPLETED_LESSONS} />
              {lesson}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
