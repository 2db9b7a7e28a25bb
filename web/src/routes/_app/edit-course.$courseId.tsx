import { createFileRoute } from "@tanstack/react-router";
import { loadsMeanwhile } from "../../api/firstData";
import { EditCourse } from "../../outline/EditCourse";
import { TABS, type Tab } from "../../outline/tabs";
import type { StudentsSearch } from "../../students/StudentsTab";
import { isOrder } from "../../students/sorting";

interface Search extends StudentsSearch {
  /** Left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  validateSearch: ({ tab, student, search, order, view }: Record<string, unknown>): Search => {
    if (tab === TABS[0] || !TABS.includes(tab as Tab)) return {};
    if (tab !== "students") return { tab: tab as Exclude<Tab, "contents"> };
    return {
      tab,
      ...(typeof student === "string" && student && { student }),
      ...((typeof search === "string" || typeof search === "number") && { search: String(search) }),
      ...(isOrder(order) && { order }),
      ...(view === "map" && { view }),
    };
  },
  // Asked anew at each visit and not awaited: the screen shows what is known, or its outline, at once.
  loader: async ({ context: { client }, params }) => {
    // Learners never need it: it comes with the screen.
    const { EditCourseDocument } = await import("../../outline/EditCourse.generated");
    const variables = { id: params.courseId };
    loadsMeanwhile(client.query({ query: EditCourseDocument, variables, fetchPolicy: "network-only" }));
  },
  component: function EditCourseRoute() {
    const { courseId } = Route.useParams();
    const { tab = TABS[0], ...students } = Route.useSearch();
    return <EditCourse key={courseId} courseId={courseId} tab={tab} students={students} />;
  },
});
