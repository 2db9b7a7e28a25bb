import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "../auth/PublicLayout";
import { UndoEmailChange } from "../auth/UndoEmailChange";
import { loadTexts } from "../i18n";

/** The address of the link in a mail. Outside the public layout, because it must also work with a session. */
export const Route = createFileRoute("/undo-email-change")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  loader: () => loadTexts("auth", "recovery"),
  component: function UndoEmailChangeRoute() {
    const { token } = Route.useSearch();
    return (
      <PublicLayout>
        <UndoEmailChange key={token} token={token} />
      </PublicLayout>
    );
  },
});
