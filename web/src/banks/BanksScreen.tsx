import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useId, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconPlus } from "../ui/icons";
import { IconList } from "../ui/laterIcons";
import { Row, Rows, Tag } from "../ui/Rows";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { BankMenu } from "./BankMenu";
import { BanksDocument } from "./Banks.generated";
import classes from "./BanksScreen.module.css";
import type { BankSummary } from "./bank";

const TitleDialog = lazy(() => import("./TitleDialog").then((module) => ({ default: module.TitleDialog })));

/** The screen at /banks: the question banks of the user, and those that others share with the user. */
export function BanksScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { data, error, refetch } = useQuery(BanksDocument, { fetchPolicy: "cache-and-network" });
  const banks = data?.banks;
  const reload = () => void refetch().catch(() => undefined);
  const own = banks?.filter(({ role }) => role === "OWNER") ?? [];
  const shared = banks?.filter(({ role }) => role !== "OWNER") ?? [];
  const create = (
    <Button icon={<IconPlus size={18} />} onClick={() => setCreating(true)}>
      {t("banks.create")}
    </Button>
  );
  return (
    <Screen title={t("banks.title")} lead={t("banks.lead")} action={banks && banks.length > 0 && create}>
      <div className={classes.lists}>
        {!banks && (
          <QueryState
            error={error}
            retry={reload}
            heading="h2"
            loading={<ListSkeleton rows={5} height="4.25rem" />}
          />
        )}
        {banks?.length === 0 && (
          <EmptyState title={t("banks.none")} icon={<IconList />} action={create} heading="h2">
            {t("banks.noneText")}
          </EmptyState>
        )}
        {own.length > 0 && <List heading={t("banks.own")} banks={own} onGone={reload} />}
        {shared.length > 0 && <List heading={t("banks.shared")} banks={shared} onGone={reload} />}
      </div>
      {isCreating && (
        <Suspense fallback={null}>
          <TitleDialog
            onClose={() => setCreating(false)}
            onMade={(bankId) => void navigate({ to: "/banks/{-$bankId}", params: { bankId } })}
          />
        </Suspense>
      )}
    </Screen>
  );
}

interface ListProps {
  heading: string;
  banks: readonly BankSummary[];
  onGone: () => void;
}

function List({ heading, banks, onGone }: ListProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {heading}
      </h2>
      <Rows label={heading}>
        {banks.map((bank) => (
          <Row
            key={bank.id}
            name={
              <Link to="/banks/{-$bankId}" params={{ bankId: bank.id }}>
                {bank.title}
              </Link>
            }
            tags={bank.role !== "OWNER" && <Tag quiet>{t(`banks.role.${bank.role}`)}</Tag>}
            facts={
              <>
                <span>{t("banks.questions", { count: bank.questionsCount })}</span>
                {bank.role !== "OWNER" && (
                  <span>{t("banks.owner", { name: bank.owner.fullName ?? t("banks.nameless") })}</span>
                )}
                {bank.pagesCount > 0 && <span>{t("banks.usedBy", { count: bank.pagesCount })}</span>}
                <span>
                  {t("banks.changed", { when: formatDateTime(bank.updatedAt, new Date(), i18n.language, t) })}
                </span>
              </>
            }
            tools={<BankMenu bank={bank} onGone={onGone} />}
          />
        ))}
      </Rows>
    </section>
  );
}
