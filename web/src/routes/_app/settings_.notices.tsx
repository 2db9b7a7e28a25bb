import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { NoticeSettingsScreen } from "../../notice-settings/NoticeSettingsScreen";

export const Route = createFileRoute("/_app/settings_/notices")({
  loader: () => loadTexts("noticeSettings", "settings"),
  component: () => (
    <ForAccounts>
      <NoticeSettingsScreen />
    </ForAccounts>
  ),
});
