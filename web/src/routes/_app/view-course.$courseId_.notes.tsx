import { createFileRoute } from "@tanstack/react-router";
import type { NotesSearch } from "../../notes/list";

export const Route = createFileRoute("/_app/view-course/$courseId_/notes")({
  validateSearch: (given: Record<string, unknown>): NotesSearch => given,
  loader: async () => (await import("../../notes/loadScreen")).loadScreen(),
  component: function NotesRoute() {
    const { Screen } = Route.useLoaderData();
    const { courseId } = Route.useParams();
    return <Screen key={courseId} courseId={courseId} search={Route.useSearch()} />;
  },
});
