import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useRef } from "react";
import { isGuest } from "../api/session";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { RadioGroup } from "../ui/RadioGroup";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { NoNotices } from "./NoNotices";
import { NoticeList } from "./NoticeList";
import classes from "./NoticesScreen.module.css";
import { ReadAll } from "./ReadAll";
import { isCovered, noticeState } from "./state";
import { useNotices } from "./useNotices";

/** The value of `view` in the URL for unread notices only. */
const UNREAD = "unread";

/** The screen at /notices: all notices of the user, or the unread ones. */
export function NoticesScreen({ view }: { view?: string }) {
  const { t } = useTranslation();
  const unreadOnly = view === UNREAD;
  return (
    <Screen
      title={t("shell.notices")}
      action={
        !isGuest() && (
          <ButtonLink to="/settings/notices" variant="default">
            {t("notices.settings")}
          </ButtonLink>
        )
      }
    >
      <Notices key={String(unreadOnly)} unreadOnly={unreadOnly} />
    </Screen>
  );
}

function Notices({ unreadOnly }: { unreadOnly: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bar = useRef<HTMLDivElement>(null);
  const isOnline = useOnline();
  const { items, hasMore, isLoadingMore, more, error, retry } = useNotices(unreadOnly);
  const readUpTo = useSelector(noticeState, (state) => state.readUpTo);
  // Notices covered by «Прочитать все» leave the unread list at once.
  const shown = items?.filter((notice) => !unreadOnly || !isCovered(notice, readUpTo));
  return (
    <>
      <div ref={bar} className={classes.bar}>
        <RadioGroup
          label={t("notices.filter.label")}
          value={unreadOnly ? UNREAD : "all"}
          options={(["all", UNREAD] as const).map((value) => ({
            value,
            label: t(`notices.filter.${value}`),
          }))}
          onChange={(view) =>
            void navigate({
              to: "/notices",
              search: view === UNREAD ? { view } : {},
              replace: true,
              resetScroll: false,
            })
          }
        />
        <ReadAll
          variant="default"
          newest={items?.[0]}
          takeFocus={() => bar.current?.querySelector<HTMLElement>("input:checked")?.focus()}
        />
      </div>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("notices.offline")}
        </p>
      )}
      {!shown ? (
        <QueryState
          error={error}
          retry={retry}
          heading="h2"
          loading={<ListSkeleton rows={8} height="3.5rem" />}
        />
      ) : shown.length === 0 ? (
        <NoNotices unreadOnly={unreadOnly} heading="h2" />
      ) : (
        <div className={classes.list}>
          <NoticeList notices={shown} heading="h2" />
          {hasMore && (
            <Button
              variant="default"
              className={classes.more}
              loading={isLoadingMore}
              onClick={() => void more()}
            >
              {t("notices.more")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
