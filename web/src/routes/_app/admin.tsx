import { createFileRoute } from "@tanstack/react-router";
import { Admin } from "../../admin/Admin";
import { auditFilter } from "../../admin/auditFilter";
import { type AdminSearch, type AuditFilter, parseTab, TABS } from "../../admin/tabs";
import { loadTexts } from "../../i18n";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/admin")({
  validateSearch: ({ tab, page, search, ...rest }: Record<string, unknown>): AdminSearch => ({
    ...parseTab(tab),
    ...(page === undefined ? {} : { page: pageNumber(page) }),
    // Read by the screen, so that the kinds of entries are not part of the first load.
    ...(rest as AuditFilter),
    // The router parses a text of digits as a number.
    ...(search === undefined || search === "" ? {} : { search: String(search) }),
  }),
  loader: () => loadTexts("admin", "auth", "forms", "home", "settings"),
  component: function AdminRoute() {
    const { tab = TABS[0], page = 1, search = "", ...rest } = Route.useSearch();
    return <Admin tab={tab} page={page} search={search} filter={auditFilter({ ...rest })} />;
  },
});
