import { addWords } from "../i18n";
import { courseSettings } from "../i18n/ru/courseSettings";
import type { Course } from "../outline/EditCourse";
import classes from "./CourseSettings.module.css";
import { CourseTexts } from "./CourseTexts";
import { EndOfCourse } from "./EndOfCourse";
import { ExportCourse } from "./ExportCourse";
import { ShareSettings } from "./ShareSettings";
import { Team } from "./Team";
import { UpdateCourse } from "./UpdateCourse";

addWords({ courseSettings });

/** The tab of everything about a course that is not its content. */
export default function CourseSettings({ course }: { course: Course }) {
  const mayWrite = course.myRole === "OWNER" || course.myRole === "EDITOR";
  return (
    <div className={classes.settings}>
      {mayWrite && <CourseTexts course={course} />}
      {mayWrite && <ShareSettings course={course} />}
      <Team course={course} />
      {mayWrite && <ExportCourse course={course} />}
      {mayWrite && <UpdateCourse course={course} />}
      <EndOfCourse course={course} />
    </div>
  );
}
