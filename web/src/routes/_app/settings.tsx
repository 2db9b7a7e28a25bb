import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { Settings } from "../../settings/Settings";

export const Route = createFileRoute("/_app/settings")({
  loader: () => loadTexts("auth", "courseSettings", "forms", "settings"),
  component: () => (
    <ForAccounts>
      <Settings />
    </ForAccounts>
  ),
});
