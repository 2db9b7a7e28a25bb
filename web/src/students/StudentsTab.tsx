import { useNavigate } from "@tanstack/react-router";
import { addWords } from "../i18n";
import { quiz } from "../i18n/ru/quiz";
import { students } from "../i18n/ru/students";
import type { Course } from "../outline/EditCourse";
import { ClassViews } from "./ClassViews";
import { HeatMap } from "./HeatMap";
import { StudentDetail } from "./StudentDetail";
import { StudentsList } from "./StudentsList";
import type { Order } from "./sorting";

addWords({ quiz, students });

export interface StudentsSearch {
  /** The enrollment of the one student shown; left out for the class. */
  student?: string;
  /** Words of a name or an address. */
  search?: string;
  order?: Order;
  /** The map of the course in place of the list. */
  view?: "map";
}

/** The tab of those who learn the course: the class, the course as the class went through it, or one of the class. */
export default function StudentsTab({ course, look }: { course: Course; look: StudentsSearch }) {
  const navigate = useNavigate();
  const show = (changed: StudentsSearch, replace = true) => {
    const search = { ...look, ...changed };
    void navigate({
      to: "/edit-course/$courseId",
      params: { courseId: course.id },
      search: {
        tab: "students",
        ...(search.student && { student: search.student }),
        ...(search.search && { search: search.search }),
        ...(search.order && search.order !== "name" && { order: search.order }),
        ...(search.view && { view: search.view }),
      },
      replace,
      resetScroll: false,
    });
  };
  if (look.student) {
    return (
      <StudentDetail
        key={look.student}
        course={course}
        enrollmentId={look.student}
        onBack={() => show({ student: undefined })}
      />
    );
  }
  return (
    <>
      <ClassViews courseId={course.id} look={look} />
      {look.view === "map" ? (
        <HeatMap course={course} />
      ) : (
        <StudentsList course={course} look={look} show={show} />
      )}
    </>
  );
}
