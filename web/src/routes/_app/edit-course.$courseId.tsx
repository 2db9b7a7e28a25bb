import { createFileRoute } from "@tanstack/react-router";
import { withTexts } from "../../i18n";
import { EditCourse } from "../../outline/EditCourse";
import type { CourseSearch } from "../../outline/look";

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  // The screen, which is loaded later, validates it.
  validateSearch: (given: Record<string, unknown>): CourseSearch => given,
  loader: async ({ context: { client }, params, location }) => {
    // Loaded with the screen, because learners never need these texts.
    const { startCourse } = await withTexts(
      import("../../outline/startCourse"),
      "forms",
      "outline",
      "unpublished",
    );
    startCourse(client, params.courseId, location.search);
  },
  component: function EditCourseRoute() {
    const { courseId } = Route.useParams();
    return <EditCourse key={courseId} courseId={courseId} search={Route.useSearch()} />;
  },
});
