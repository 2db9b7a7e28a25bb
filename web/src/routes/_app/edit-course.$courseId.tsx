import { createFileRoute } from "@tanstack/react-router";
import { startRequest } from "../../api/firstData";
import { withTexts } from "../../i18n";
import { EditCourse } from "../../outline/EditCourse";
import { TABS, type Tab } from "../../outline/tabs";
import { isOrder } from "../../students/order";
import type { StudentsSearch } from "../../students/StudentsTab";

interface Search extends StudentsSearch {
  /** The open tab; left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  validateSearch: ({ tab, student, search, order, group, view, part }: Record<string, unknown>): Search => {
    if (tab === TABS[0] || !TABS.includes(tab as Tab)) return {};
    if (tab !== "students") return { tab: tab as Exclude<Tab, "contents"> };
    return {
      tab,
      ...(typeof student === "string" && student && { student }),
      ...((typeof search === "string" || typeof search === "number") && { search: String(search) }),
      ...(isOrder(order) && { order }),
      ...(typeof group === "string" && group && { group }),
      ...((view === "map" || view === "groups" || view === "overrides") && { view }),
      ...(view === "overrides" && typeof part === "string" && part && { part }),
    };
  },
  // Fetched at each visit and not awaited: the screen shows cached data or its skeleton at once.
  loader: async ({ context: { client }, params }) => {
    // Loaded with the screen, because learners never need these texts.
    const { EditCourseDocument } = await withTexts(
      import("../../outline/EditCourse.generated"),
      "forms",
      "outline",
    );
    const variables = { id: params.courseId };
    startRequest(client.query({ query: EditCourseDocument, variables, fetchPolicy: "network-only" }));
  },
  component: function EditCourseRoute() {
    const { courseId } = Route.useParams();
    const { tab = TABS[0], ...students } = Route.useSearch();
    return <EditCourse key={courseId} courseId={courseId} tab={tab} students={students} />;
  },
});
