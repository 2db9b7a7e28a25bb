import { createFileRoute } from "@tanstack/react-router";
import { BanksScreen } from "../../banks/BanksScreen";
import { loadTexts } from "../../i18n";

export const Route = createFileRoute("/_app/banks/")({
  loader: () => loadTexts("banks", "forms"),
  component: BanksScreen,
});
