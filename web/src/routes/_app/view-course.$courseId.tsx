import { createFileRoute } from "@tanstack/react-router";
import { CourseScreen, type CourseTab } from "../../course/CourseScreen";
import { withTexts } from "../../i18n";

interface Search {
  /** The open tab; left out for the contents. */
  tab?: CourseTab;
}

export const Route = createFileRoute("/_app/view-course/$courseId")({
  validateSearch: ({ tab }: Record<string, unknown>): Search =>
    tab === "progress" || tab === "grades" ? { tab } : {},
  // Fetched at each visit and not awaited: the screen shows cached data or its skeleton at once.
  loader: async ({ context: { client }, params }) => {
    // Loaded with the screen, because the reading screen does not need the queries.
    const { startCourse } = await withTexts(import("../../course/startCourse"), "dates", "home", "learning");
    startCourse(client, params.courseId);
  },
  component: function ViewCourse() {
    const { courseId } = Route.useParams();
    const { tab } = Route.useSearch();
    return <CourseScreen key={courseId} courseId={courseId} tab={tab} />;
  },
});
