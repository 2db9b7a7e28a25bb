import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { ApiError } from "../api/apiError";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Row, Rows, Tag } from "../ui/Rows";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { toastSuccess } from "../ui/toasts";
import { deviceName } from "./device";
import { EndSessionDocument, SessionsDocument, type SessionsQuery } from "./Settings.generated";

type Session = SessionsQuery["sessions"]["nodes"][number];

/** The list of the user's sessions. */
export function Sessions() {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const { data, error, refetch } = useAllSessions();
  const [ending, setEnding] = useState<readonly Session[]>([]);
  const others = data?.filter(({ current }) => !current) ?? [];
  const name = ({ device }: Session) => deviceName(device) ?? t("settings.sessions.unknown");
  const end = async () => {
    for (const { id } of ending) {
      try {
        await client.mutate({ mutation: EndSessionDocument, variables: { input: { sessionId: id } } });
      } catch (failure) {
        // The session has expired or was already ended.
        if (ApiError.from(failure).status !== 404) throw failure;
      }
    }
    toastSuccess(t("settings.sessions.ended", { count: ending.length }));
    await refetch();
  };
  const [first] = ending;
  return (
    <Section title={t("settings.sessions.heading")} text={t("settings.sessions.text")}>
      {!data && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<ListSkeleton rows={2} height="3.5rem" />}
        />
      )}
      {data && (
        <Rows label={t("settings.sessions.heading")}>
          {data.map((session) => (
            <Row
              key={session.id}
              name={name(session)}
              tags={session.current && <Tag>{t("settings.sessions.current")}</Tag>}
              facts={
                <span>
                  {t("settings.sessions.seen", {
                    when: formatDateTime(session.lastSeenAt, new Date(), i18n.language, t),
                  })}
                </span>
              }
              tools={
                !session.current && (
                  <Button
                    variant="subtle"
                    aria-label={t("settings.sessions.endOf", { device: name(session) })}
                    onClick={() => setEnding([session])}
                  >
                    {t("settings.sessions.end")}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      )}
      {others.length > 1 && (
        <Button variant="default" onClick={() => setEnding(others)}>
          {t("settings.sessions.endOthers")}
        </Button>
      )}
      <ConfirmDialog
        open={first !== undefined}
        onClose={() => setEnding([])}
        title={
          ending.length > 1 || !first
            ? t("settings.sessions.endOthersTitle")
            : t("settings.sessions.endTitle", { device: name(first) })
        }
        confirm={t(ending.length > 1 ? "settings.sessions.endOthers" : "settings.sessions.endConfirm")}
        danger
        onConfirm={end}
      >
        <p>{t("settings.sessions.endText", { count: ending.length })}</p>
      </ConfirmDialog>
    </Section>
  );
}

/** Loads all sessions in requests of 100: the current one first, then by last use. */
function useAllSessions() {
  const { data, error, refetch, fetchMore } = useQuery(SessionsDocument, {
    fetchPolicy: "cache-and-network",
  });
  const { hasNextPage, endCursor } = data?.sessions.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage || !endCursor) return;
    fetchMore({ variables: { after: endCursor } }).catch(() => {
      // The loaded part is shown; the next visit fetches the rest.
    });
  }, [fetchMore, hasNextPage, endCursor]);
  const sessions = data?.sessions.nodes.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) || other.lastSeenAt.localeCompare(one.lastSeenAt),
  );
  return { data: sessions, error, refetch };
}
