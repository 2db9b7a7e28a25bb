import { createFileRoute } from "@tanstack/react-router";
import type { AnnouncementsSearch } from "../../announcements/list";

export const Route = createFileRoute("/_app/view-course/$courseId_/announcements")({
  validateSearch: (given: Record<string, unknown>): AnnouncementsSearch => given,
  loader: async () => (await import("../../announcements/loadScreen")).loadScreen(),
  component: function AnnouncementsRoute() {
    const { Screen } = Route.useLoaderData();
    const { courseId } = Route.useParams();
    return <Screen key={courseId} courseId={courseId} search={Route.useSearch()} />;
  },
});
