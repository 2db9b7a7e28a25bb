import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { NotedCoursesScreen } from "../../notes/NotedCoursesScreen";

export const Route = createFileRoute("/_app/notes")({
  loader: () => loadTexts("notes"),
  component: NotedCoursesScreen,
});
