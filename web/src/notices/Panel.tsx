import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { isGuest } from "../api/session";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { NoNotices } from "./NoNotices";
import { NoticeList } from "./NoticeList";
import classes from "./Panel.module.css";
import { ReadAll } from "./ReadAll";
import { useNotices } from "./useNotices";

/** The newest notices, with links to the list and to the settings. */
export function Panel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, error, retry } = useNotices(false);

  return (
    <div className={classes.inside}>
      <div className={classes.head}>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {t("shell.notices")}
        </h2>
        <ReadAll
          variant="subtle"
          size="compact"
          newest={items?.[0]}
          takeFocus={() => heading.current?.focus()}
        />
        <IconButton aria-label={t("notices.close")} onClick={onClose}>
          <IconClose size={18} />
        </IconButton>
      </div>
      {!isOnline && (
        <p className={classes.offline} role="status">
          {t("notices.offline")}
        </p>
      )}
      <div className={classes.body}>
        {!items ? (
          <QueryState
            error={error}
            retry={retry}
            heading="p"
            loading={<ListSkeleton rows={6} height="3.5rem" />}
          />
        ) : items.length === 0 ? (
          <NoNotices unreadOnly={false} />
        ) : (
          <NoticeList notices={items} heading="h3" onOpen={onClose} />
        )}
      </div>
      <div className={classes.foot}>
        <Link to="/notices" className={classes.link} onClick={onClose}>
          {t("notices.all")}
        </Link>
        {!isGuest() && (
          <Link to="/settings/notices" className={classes.link} onClick={onClose}>
            {t("notices.settings")}
          </Link>
        )}
      </div>
    </div>
  );
}
