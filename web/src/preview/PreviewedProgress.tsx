import { useQuery } from "@apollo/client/react";
import type { CourseTreeQuery } from "../course/CourseScreen.generated";
import { type Facts, Progress } from "../course/OwnProgress";
import { QueryState } from "../errors/QueryState";
import { StudentDetailDocument } from "../students/Students.generated";
import { TextSkeleton } from "../ui/Skeletons";
import { usePreview } from "./context";
import { PreviewedPersonDocument } from "./Preview.generated";

/** The progress tab in a preview: that of the learner, or of somebody who has not begun. */
export default function PreviewedProgress({ course }: { course: CourseTreeQuery["course"] }) {
  const who = usePreview()?.who;
  const isNamed = who?.kind === "student";
  const person = useQuery(PreviewedPersonDocument, { variables: { id: course.id } });
  const student = useQuery(StudentDetailDocument, {
    variables: { id: isNamed ? who.id : "" },
    skip: !isNamed,
    fetchPolicy: "no-cache",
  });
  const retry = () => {
    if (person.error) void person.refetch().catch(() => undefined);
    if (student.error) void student.refetch().catch(() => undefined);
  };
  if (!person.data || (isNamed && !student.data)) {
    return (
      <QueryState
        error={person.error ?? student.error}
        retry={retry}
        heading="h2"
        loading={<TextSkeleton lines={10} />}
      />
    );
  }
  const lessons = student.data?.enrollment.modules.flatMap((module) => module.lessons) ?? [];
  const pages = lessons.flatMap((lesson) =>
    lesson.pages.map(({ id, visitedAt, attempts }): Facts => ({ visitedAt, page: { id, attempts } })),
  );
  return <Progress course={course} enrollment={person.data.course.enrollment} pages={pages} />;
}
