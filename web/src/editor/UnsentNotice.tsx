import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { Draft } from "./drafts";
import styles from "./UnsentNotice.module.css";

interface Props {
  userId: string | undefined;
  /** The current address; an open page offers its drafts itself. */
  pathname: string | undefined;
}

/** Notice on every screen that this device holds unsaved drafts, with a link to the newest. Loads code only when there are drafts. */
export function UnsentNotice({ userId, pathname }: Props) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Draft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are read again on each screen
  useEffect(() => {
    if (!userId || !hasDrafts(userId)) return setDrafts([]);
    let isCurrent = true;
    void import("./drafts").then(async ({ abandonedDrafts, readDrafts }) => {
      const found = await abandonedDrafts(readDrafts(localStorage, userId));
      if (isCurrent) setDrafts(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [userId, pathname]);

  const pages = new Map(drafts.map((draft) => [draft.pageId, draft]));
  const [newest] = drafts;
  if (!newest || pathname === `/edit-page/${newest.pageId}`) return null;
  return (
    <p className={styles.notice} role="status">
      {t("shell.unsent.text", { count: pages.size, page: newest.label.page })}{" "}
      <Link to="/edit-page/$pageId" params={{ pageId: newest.pageId }} className={styles.link}>
        {t("shell.unsent.open")}
      </Link>
    </p>
  );
}

function hasDrafts(userId: string): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith(`kurso-draft:${userId}:`));
}
