import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { QueryState } from "../errors/QueryState";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck } from "../ui/icons";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { PracticeDocument } from "./Practice.generated";
import { PracticeSession } from "./PracticeSession";

/** The screen at /practice: questions that the user missed come again. */
export function PracticeScreen() {
  const { t, i18n } = useTranslation();
  const { data, error, loading, refetch } = useQuery(PracticeDocument, {
    fetchPolicy: "no-cache",
    notifyOnNetworkStatusChange: true,
  });
  /** Rises with each session. */
  const [session, setSession] = useState(0);
  const [now] = useState(() => new Date());
  // After a failure, the data are those of the session before.
  const practice = loading || error ? undefined : data?.practice;
  const again = () => {
    setSession((number) => number + 1);
    refetch().catch(() => undefined);
  };
  const next = practice?.nextDueAt ? momentOf(practice.nextDueAt, now, i18n.language) : null;
  const when = (["Today", "Tomorrow"] as const)[next?.daysAhead ?? -1] ?? "Due";
  return (
    <Screen title={t("practice.title")} lead={t("practice.lead")}>
      {!practice ? (
        <QueryState
          error={loading ? null : error}
          retry={() => void refetch().catch(() => undefined)}
          heading="h2"
          loading={<ListSkeleton rows={4} height="4rem" />}
        />
      ) : practice.questions.length === 0 ? (
        <EmptyState
          title={t(practice.nextDueAt ? "practice.nothingNow" : "practice.nothing")}
          icon={<IconCheck />}
          heading="h2"
          action={<ButtonLink to="/">{t("practice.toCourses")}</ButtonLink>}
        >
          {next ? t(`practice.next${when}`, { ...next }) : t("practice.how")}
        </EmptyState>
      ) : (
        <PracticeSession
          key={session}
          cards={practice.questions}
          dueCount={practice.dueCount}
          isRepeated={session > 0}
          onAgain={again}
        />
      )}
    </Screen>
  );
}
