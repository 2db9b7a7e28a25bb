import { createFileRoute } from "@tanstack/react-router";
import type { BankSearch } from "../../banks/filter";
import { ForAccounts } from "../../guests/ForAccounts";

export const Route = createFileRoute("/_app/banks/{-$bankId}")({
  // The screen reads it tolerantly; it is loaded later, because learners never need it.
  validateSearch: (given: Record<string, unknown>): BankSearch => given,
  loader: async ({ params: { bankId } }) => (await import("../../banks/screens")).loadScreen(bankId),
  component: function BanksRoute() {
    const { Screen } = Route.useLoaderData();
    const { bankId = "" } = Route.useParams();
    return (
      <ForAccounts>
        <Screen key={bankId} bankId={bankId} search={Route.useSearch()} />
      </ForAccounts>
    );
  },
});
