import { createFileRoute } from "@tanstack/react-router";
import { withTexts } from "../../i18n";
import { EditCourse, type Look } from "../../outline/EditCourse";
import { TABS, type Tab, UNPUBLISHED } from "../../outline/tabs";

interface Search extends Look {
  /** The open tab; left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

/** What a tab takes from the address; it knows which values there are. */
const LOOKS = {
  students: ["student", "search", "order", "group", "view", "part"],
  grades: ["search", "order", "group", "view"],
  comments: ["view", "part"],
  grading: ["group", "view", "part", "answer"],
  snapshots: ["snapshot", "page", "view", "since"],
};

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  validateSearch: ({ tab, ...look }: Record<string, unknown>): Search => {
    if (tab === TABS[0] || !TABS.includes(tab as Tab))
      return look.view === UNPUBLISHED ? { view: UNPUBLISHED } : {};
    const names = LOOKS[tab as keyof typeof LOOKS] ?? [];
    const given = names.filter((name) => look[name]).map((name) => [name, String(look[name])]);
    return { tab: tab as Exclude<Tab, "contents">, ...Object.fromEntries(given) };
  },
  loader: async ({ context: { client }, params, location }) => {
    // Loaded with the screen, because learners never need these texts.
    const { startCourse } = await withTexts(
      import("../../outline/startCourse"),
      "forms",
      "outline",
      "unpublished",
    );
    startCourse(client, params.courseId, (location.search as Search).tab);
  },
  component: function EditCourseRoute() {
    const { courseId } = Route.useParams();
    const { tab = TABS[0], ...look } = Route.useSearch();
    return <EditCourse key={courseId} courseId={courseId} tab={tab} look={look} />;
  },
});
