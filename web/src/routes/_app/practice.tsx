import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { PracticeScreen } from "../../practice/PracticeScreen";

export const Route = createFileRoute("/_app/practice")({
  loader: () => loadTexts("practice", "quiz", "dates"),
  component: PracticeScreen,
});
