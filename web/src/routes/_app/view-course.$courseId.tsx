import { createFileRoute } from "@tanstack/react-router";
import { loadsMeanwhile } from "../../api/firstData";
import { CourseScreen, type CourseTab } from "../../course/CourseScreen";
import { CourseTreeDocument } from "../../course/CourseTree.generated";

interface Search {
  /** Left out for the contents. */
  tab?: CourseTab;
}

export const Route = createFileRoute("/_app/view-course/$courseId")({
  validateSearch: ({ tab }: Record<string, unknown>): Search => (tab === "progress" ? { tab } : {}),
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: ({ context: { client }, params }) => {
    const variables = { id: params.courseId };
    loadsMeanwhile(client.query({ query: CourseTreeDocument, variables, fetchPolicy: "network-only" }));
  },
  component: function ViewCourse() {
    const { courseId } = Route.useParams();
    const { tab } = Route.useSearch();
    return <CourseScreen key={courseId} courseId={courseId} tab={tab} />;
  },
});
