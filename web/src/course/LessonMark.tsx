import { useTranslation } from "../i18n/useTranslation";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./LessonMark.module.css";

/** The completed or not-completed mark of a lesson: an icon with a text for screen readers. */
export function LessonMark({ completed }: { completed: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <svg
        className={classes.mark}
        data-completed={completed || undefined}
        aria-hidden="true"
        width="18"
        height="18"
        viewBox="0 0 18 18"
      >
        <circle cx="9" cy="9" r="7.2" />
        {completed && <path d="m5.8 9.3 2.2 2.2 4.2-4.8" />}
      </svg>
      <VisuallyHidden>{t(completed ? "course.completed" : "course.notCompleted")}</VisuallyHidden>
    </>
  );
}
