import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import styles from "./Breadcrumbs.module.css";

interface BreadcrumbsProps {
  course: { id: string; title: string };
  module: { title: string };
  lesson: { title: string };
}

/** Course, module, lesson. Only the course has a screen of its own. */
export function Breadcrumbs({ course, module, lesson }: BreadcrumbsProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("reading.breadcrumbs")}>
      <ol className={styles.trail}>
        <li>
          <Link to="/view-course/$courseId" params={{ courseId: course.id }} className={styles.course}>
            {course.title}
          </Link>
        </li>
        {/* A course of plain chapters repeats one title at both levels. */}
        {module.title !== lesson.title && <li>{module.title}</li>}
        <li>{lesson.title}</li>
      </ol>
    </nav>
  );
}
