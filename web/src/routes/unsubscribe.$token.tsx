import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "../auth/PublicLayout";
import { loadTexts } from "../i18n";
import { Unsubscribe } from "../notice-settings/Unsubscribe";

/** The address of the link in a mail about notices. Outside the public layout, because it must also work with a session. */
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
