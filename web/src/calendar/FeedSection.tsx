import { useMutation, useQuery } from "@apollo/client/react";
import { type Ref, useEffect, useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconCheck, IconCopy } from "../ui/icons";
import { Section } from "../ui/Section";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { useCopy } from "../ui/useCopy";
import {
  CalendarFeedDocument,
  type CalendarFeedQuery,
  CreateCalendarFeedDocument,
  RevokeCalendarFeedDocument,
} from "./Calendar.generated";
import classes from "./FeedSection.module.css";

/** The secret address for calendar programs: made, replaced and revoked. It is shown only after it was made. */
export function FeedSection() {
  const { t, i18n } = useTranslation();
  const { data, error, refetch, updateQuery } = useQuery(CalendarFeedDocument, {
    fetchPolicy: "cache-and-network",
  });
  const [create, { loading }] = useMutation(CreateCalendarFeedDocument);
  const [revoke] = useMutation(RevokeCalendarFeedDocument);
  const [url, setUrl] = useState<string | null>(null);
  const [asking, setAsking] = useState<"renew" | "revoke" | null>(null);
  const feed = data?.calendarFeed;
  // The pressed button disappears when the address changes, so the focus moves to the next action.
  const copyButton = useRef<HTMLButtonElement>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  const [next, setNext] = useState<"copy" | "create" | null>(null);
  useEffect(() => {
    const target = next && (next === "copy" ? copyButton : createButton).current;
    if (!target || asking) return;
    target.focus();
    setNext(null);
  });
  const keep = (calendarFeed: CalendarFeedQuery["calendarFeed"] | undefined) =>
    calendarFeed && updateQuery(() => ({ calendarFeed }));
  const make = async () => {
    const made = (await create()).data?.createCalendarFeed;
    setUrl(made?.url ?? null);
    setNext("copy");
    keep(made?.calendarFeed);
  };
  const end = async () => {
    const revoked = (await revoke()).data?.revokeCalendarFeed;
    setUrl(null);
    setNext("create");
    keep(revoked?.calendarFeed);
    toastSuccess(t("calendar.feed.revoked"));
  };
  const when = (time: string) => formatDateTime(time, new Date(), i18n.language, t);
  return (
    <Section title={t("calendar.feed.heading")} text={t("calendar.feed.text")}>
      {!feed && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<TextSkeleton lines={2} />}
        />
      )}
      {url && (
        <>
          <Address url={url} copyButton={copyButton} />
          <p className={classes.hint}>{t("calendar.feed.once")}</p>
        </>
      )}
      {feed?.isActive && feed.createdAt && (
        <p className={classes.hint}>
          {t("calendar.feed.made", { when: when(feed.createdAt) })}{" "}
          {feed.lastReadAt
            ? t("calendar.feed.read", { when: when(feed.lastReadAt) })
            : t("calendar.feed.unread")}
        </p>
      )}
      {feed && (
        <div className={classes.tools}>
          {feed.isActive ? (
            <>
              <Button variant="default" onClick={() => setAsking("renew")}>
                {t("calendar.feed.renew")}
              </Button>
              <Button variant="subtle" onClick={() => setAsking("revoke")}>
                {t("calendar.feed.revoke")}
              </Button>
            </>
          ) : (
            <Button
              ref={createButton}
              variant="default"
              loading={loading}
              onClick={() => void make().catch(toastFailure)}
            >
              {t("calendar.feed.create")}
            </Button>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={t(asking === "renew" ? "calendar.feed.renewTitle" : "calendar.feed.revokeTitle")}
        confirm={t(asking === "renew" ? "calendar.feed.renew" : "calendar.feed.revoke")}
        danger
        onConfirm={asking === "renew" ? make : end}
      >
        <p>{t("calendar.feed.consequence")}</p>
      </ConfirmDialog>
    </Section>
  );
}

/** The new address, with a button that copies it. */
function Address({ url, copyButton }: { url: string; copyButton: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(url);
  return (
    <div className={classes.address}>
      <output className={classes.url} aria-label={t("calendar.feed.address")}>
        {url}
      </output>
      <Button
        ref={copyButton}
        icon={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
        onClick={copy}
      >
        <span role="status">{copied ? t("common.copied") : t("calendar.feed.copy")}</span>
      </Button>
    </div>
  );
}
