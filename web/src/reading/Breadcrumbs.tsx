import { Link } from "@tanstack/react-router";
import { Breadcrumbs as Trail } from "../ui/Breadcrumbs";

interface BreadcrumbsProps {
  course: { id: string; title: string };
  module: { title: string };
  lesson: { title: string };
}

/** Course, module, lesson. Only the course has a screen, so only it is a link. */
export function Breadcrumbs({ course, module, lesson }: BreadcrumbsProps) {
  return (
    <Trail>
      <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
        {course.title}
      </Link>
      {/* A course of plain chapters repeats one title at both levels. */}
      {module.title !== lesson.title && module.title}
      {lesson.title}
    </Trail>
  );
}
