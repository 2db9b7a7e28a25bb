import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { NotFoundScreen } from "../errors/NotFound";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { Tabs } from "../ui/Tabs";
import classes from "./Admin.module.css";
import { AllCourses } from "./AllCourses";
import { Audit } from "./Audit";
import { System } from "./System";
import { type AuditFilter, TABS, type Tab } from "./tabs";
import { Users } from "./Users";

interface Props {
  tab: Tab;
  page: number;
  search: string;
  filter: AuditFilter;
}

/** The administration screen at /admin. For users who are not superusers it shows 404 and sends no administration request. */
export function Admin({ tab, page, search, filter }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(MeDocument);
  const me = data?.me;
  if (me && !me.isSuperuser) return <NotFoundScreen />;
  return (
    <Screen title={t("shell.administration")}>
      <div className={classes.tabs}>
        <Tabs label={t("admin.tabs.label")}>
          {TABS.map((one) => (
            <Link
              key={one}
              to="/admin"
              search={one === "users" ? {} : { tab: one }}
              aria-current={one === tab ? "page" : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t(`admin.tabs.${one}`)}
            </Link>
          ))}
        </Tabs>
      </div>
      {!me && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<ListSkeleton rows={8} height="3.75rem" />}
        />
      )}
      {me && tab === "users" && <Users key="users" meId={me.id} page={page} search={search} />}
      {me && tab === "courses" && <AllCourses key="courses" page={page} search={search} />}
      {me && tab === "audit" && <Audit key="audit" page={page} filter={filter} />}
      {me && tab === "system" && <System email={me.email} />}
    </Screen>
  );
}
