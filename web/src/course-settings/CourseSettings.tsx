import { CertificateSettings } from "../certificates/CertificateSettings";
import { QuestionSettings } from "../course-questions/QuestionSettings";
import { mayModerate } from "../discussions/roles";
import type { Course } from "../outline/EditCourse";
import { PublicPageSettings } from "../public-page/PublicPageSettings";
import { CourseDates } from "./CourseDates";
import classes from "./CourseSettings.module.css";
import { CourseTexts } from "./CourseTexts";
import { DangerZone } from "./DangerZone";
import { ExportCourse } from "./ExportCourse";
import { ShareSettings } from "./ShareSettings";
import { Team } from "./Team";
import { UpdateCourse } from "./UpdateCourse";

/** The settings tab of a course: texts, dates, access, public page, certificates, questions, team, export, transfer and deletion. */
export default function CourseSettings({ course }: { course: Course }) {
  const mayWrite = course.myRole === "OWNER" || course.myRole === "EDITOR";
  return (
    <div className={classes.settings}>
      {mayWrite && <CourseTexts course={course} />}
      {mayWrite && <CourseDates courseId={course.id} />}
      {mayWrite && <ShareSettings course={course} />}
      {mayWrite && <PublicPageSettings course={course} />}
      <CertificateSettings course={course} />
      {mayModerate(course.myRole) && <QuestionSettings courseId={course.id} />}
      <Team course={course} />
      {mayWrite && <ExportCourse course={course} />}
      {mayWrite && <UpdateCourse course={course} />}
      <DangerZone course={course} />
    </div>
  );
}
