import { createFileRoute } from "@tanstack/react-router";
import { BankScreen } from "../../banks/BankScreen";
import type { BankSearch } from "../../banks/filter";
import { loadTexts } from "../../i18n";
import { pageNumber } from "../../ui/pageNumber";

const TEXTS = ["search", "tags", "kind"] as const;

export const Route = createFileRoute("/_app/banks/$bankId")({
  validateSearch: (given: Record<string, unknown>): BankSearch => ({
    // The router parses a text of digits as a number.
    ...Object.fromEntries(
      TEXTS.filter((name) => given[name] !== undefined && given[name] !== "").map((name) => [
        name,
        String(given[name]),
      ]),
    ),
    ...(given.page === undefined ? {} : { page: pageNumber(given.page) }),
  }),
  loader: () => loadTexts("banks", "dates", "editor", "forms", "quiz", "quizBuilder"),
  component: function BankRoute() {
    const { bankId } = Route.useParams();
    return <BankScreen key={bankId} bankId={bankId} search={Route.useSearch()} />;
  },
});
