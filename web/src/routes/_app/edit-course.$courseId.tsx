import { createFileRoute } from "@tanstack/react-router";
import { startRequest } from "../../api/firstData";
import { withTexts } from "../../i18n";
import { EditCourse, type Look } from "../../outline/EditCourse";
import { TABS, type Tab } from "../../outline/tabs";

interface Search extends Look {
  /** The open tab; left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

/** What a tab takes from the address; it knows which values there are. */
const LOOKS = {
  students: ["student", "search", "order", "group", "view", "part"],
  grades: ["search", "order", "group", "view"],
  grading: ["group", "view", "part", "answer"],
};

export const Route = createFileRoute("/_app/edit-course/$courseId")({
  validateSearch: ({ tab, ...look }: Record<string, unknown>): Search => {
    if (tab === TABS[0] || !TABS.includes(tab as Tab)) return {};
    const names = LOOKS[tab as keyof typeof LOOKS] ?? [];
    const given = names.filter((name) => look[name]).map((name) => [name, String(look[name])]);
    return { tab: tab as Exclude<Tab, "contents">, ...Object.fromEntries(given) };
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
    const { tab = TABS[0], ...look } = Route.useSearch();
    return <EditCourse key={courseId} courseId={courseId} tab={tab} look={look} />;
  },
});
