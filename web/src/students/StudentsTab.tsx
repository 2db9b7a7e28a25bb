import { useNavigate } from "@tanstack/react-router";
import type { Course } from "../outline/EditCourse";
import { ClassViews } from "./ClassViews";
import { HeatMap } from "./HeatMap";
import type { Order } from "./order";
import { StudentDetail } from "./StudentDetail";
import { StudentsList } from "./StudentsList";

export interface StudentsSearch {
  /** The enrollment of the student shown; without it the tab shows the class. */
  student?: string;
  /** Search text: part of a name or an email. */
  search?: string;
  order?: Order;
  /** Shows the course map instead of the list. */
  view?: "map";
}

/** The students tab of a course: the class list, the course map, or one student. */
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
