import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import styles from "./DraftsNotice.module.css";
import { type Draft, readDrafts } from "./drafts";
import { abandonedDrafts } from "./locks";

interface Props {
  userId: string;
  /** The current address; an open page offers its drafts itself. */
  pathname: string | undefined;
}

/** Notice that this device holds unsaved drafts, with a link to the newest. */
export function DraftsNotice({ userId, pathname }: Props) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Draft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are read again on each screen
  useEffect(() => {
    let isCurrent = true;
    void abandonedDrafts(readDrafts(localStorage, userId)).then((found) => isCurrent && setDrafts(found));
    return () => {
      isCurrent = false;
    };
  }, [userId, pathname]);

  const pages = new Map(drafts.map((draft) => [draft.pageId, draft]));
  const [newest] = drafts;
  if (!newest || pathname === `/edit-page/${newest.pageId}`) return null;
  return (
    <p className={styles.notice} role="status">
      {t("forms.unsent.text", { count: pages.size, page: newest.label.page })}{" "}
      <Link to="/edit-page/$pageId" params={{ pageId: newest.pageId }} className={styles.link}>
        {t("forms.unsent.open")}
      </Link>
    </p>
  );
}
