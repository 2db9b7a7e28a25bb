import { createFileRoute } from "@tanstack/react-router";
import { EditCourse } from "../../outline/EditCourse";
import { EditCourseDocument } from "../../outline/EditCourse.generated";
import { TABS, type Tab } from "../../outline/tabs";

interface Search {
  /** Left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  validateSearch: ({ tab }: Record<string, unknown>): Search =>
    tab !== TABS[0] && TABS.includes(tab as Tab) ? { tab: tab as Exclude<Tab, "contents"> } : {},
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: ({ context: { client }, params }) => {
    client
      .query({ query: EditCourseDocument, variables: { id: params.courseId }, fetchPolicy: "network-only" })
      .catch(() => {
        // The screen asks for the same and shows what went wrong.
      });
  },
  component: function EditCourseRoute() {
    const { courseId } = Route.useParams();
    const { tab = TABS[0] } = Route.useSearch();
    return <EditCourse key={courseId} courseId={courseId} tab={tab} />;
  },
});
