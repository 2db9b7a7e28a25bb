import { createFileRoute } from "@tanstack/react-router";
import { CourseScreen } from "../../course/CourseScreen";
import { CourseTreeDocument } from "../../course/CourseTree.generated";

export const Route = createFileRoute("/_app/view-course/$courseId")({
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: ({ context: { client }, params }) => {
    client
      .query({ query: CourseTreeDocument, variables: { id: params.courseId }, fetchPolicy: "network-only" })
      .catch(() => {
        // The screen asks for the same and shows what went wrong.
      });
  },
  component: function ViewCourse() {
    const { courseId } = Route.useParams();
    return <CourseScreen key={courseId} courseId={courseId} />;
  },
});
