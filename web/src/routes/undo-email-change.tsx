import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "../auth/PublicLayout";
import { UndoEmailChange } from "../auth/UndoEmailChange";

/** The link of a mail. Not among the public screens: somebody who is signed in needs it no less. */
export const Route = createFileRoute("/undo-email-change")({
  validateSearch: ({ token }: Record<string, unknown>) => ({ token: typeof token === "string" ? token : "" }),
  component: function UndoEmailChangeRoute() {
    const { token } = Route.useSearch();
    return (
      <PublicLayout>
        <UndoEmailChange key={token} token={token} />
      </PublicLayout>
    );
  },
});
