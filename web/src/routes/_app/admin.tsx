import { createFileRoute } from "@tanstack/react-router";
import { Admin } from "../../admin/Admin";
import { auditFilter } from "../../admin/auditFilter";
import { type AdminSearch, type AuditFilter, parseTab } from "../../admin/tabs";
import { loadTexts } from "../../i18n";
import { pageNumber } from "../../ui/pageNumber";

export const Route = createFileRoute("/_app/admin")({
  validateSearch: ({ page, search, ...rest }: Record<string, unknown>): AdminSearch => ({
    ...(page === undefined ? {} : { page: pageNumber(page) }),
    // Read by the screen, so that the tabs and the kinds of entries are not part of the first load.
    ...(rest as Pick<AdminSearch, "tab"> & AuditFilter),
    // The router parses a string of digits as a number.
    ...(search === undefined || search === "" ? {} : { search: String(search) }),
  }),
  loader: () => loadTexts("admin", "auth", "forms", "home", "settings"),
  component: function AdminRoute() {
    const { tab, page = 1, search = "", ...rest } = Route.useSearch();
    return <Admin tab={parseTab(tab)} page={page} search={search} filter={auditFilter({ ...rest })} />;
  },
});
