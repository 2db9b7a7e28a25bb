import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { BankDocument, BankQuestionDocument } from "./Bank.generated";
import { BankView } from "./BankView";
import { newestDraft, useDraftOwner } from "./drafts";
import { type BankSearch, filterOf, searchOf } from "./filter";

interface BankScreenProps {
  bankId: string;
  search: BankSearch;
}

/** The screen of a question bank at /banks/$bankId. */
export function BankScreen({ bankId, search }: BankScreenProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(BankDocument, {
    variables: { id: bankId },
    fetchPolicy: "cache-and-network",
  });
  const userId = useDraftOwner();
  // What was typed and not saved on an earlier visit opens again.
  const [left, setLeft] = useState<ReturnType<typeof newestDraft>>();
  if (userId !== undefined && left === undefined) setLeft(newestDraft(userId, bankId));
  const wantedId = search.question ?? (left && "questionId" in left ? left.questionId : undefined);
  const named = useQuery(BankQuestionDocument, {
    variables: { id: String(wantedId) },
    skip: !wantedId,
  });
  const reload = () => void refetch().catch(() => undefined);
  const trail = (
    <Breadcrumbs>
      <Link to="/banks/{-$bankId}" params={{ bankId: undefined }}>
        {t("banks.bank.back")}
      </Link>
    </Breadcrumbs>
  );
  if (data)
    return (
      <BankView
        bank={data.bank}
        trail={trail}
        filter={filterOf(search)}
        begun={!search.question && left && "kind" in left ? left.kind : null}
        wanted={named.data?.bankQuestions.find((one) => one.bankId === bankId)}
        onFilter={(filter) =>
          void navigate({
            to: "/banks/{-$bankId}",
            params: { bankId },
            search: searchOf(filter),
            replace: true,
            resetScroll: false,
          })
        }
        onChanged={reload}
      />
    );
  if (error)
    return <QueryState error={error} retry={reload} notFound={t("banks.bank.missing")} loading={null} />;
  return (
    <Screen title={t("banks.title")} trail={trail}>
      <ListSkeleton rows={8} height="4.25rem" />
    </Screen>
  );
}
