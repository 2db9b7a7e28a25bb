import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "../auth/PublicLayout";
import { loadTexts } from "../i18n";
import { Unsubscribe } from "../notice-settings/Unsubscribe";

/** The target of the link in a notice mail. Not in the public layout, because it must also work with a session. */
export const Route = createFileRoute("/unsubscribe/$token")({
  loader: () => loadTexts("auth", "noticeSettings"),
  component: function UnsubscribeRoute() {
    const { token } = Route.useParams();
    return (
      <PublicLayout>
        <Unsubscribe key={token} token={token} />
      </PublicLayout>
    );
  },
});
