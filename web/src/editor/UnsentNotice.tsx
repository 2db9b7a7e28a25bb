import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "./drafts";
import styles from "./UnsentNotice.module.css";

interface Props {
  userId: string | undefined;
  /** Where one is; that page offers its text itself. */
  pathname: string | undefined;
}

/** Says on every screen that unsaved text waits on this device, and where. Loads nothing when there is none. */
export function UnsentNotice({ userId, pathname }: Props) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Draft[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for anew on each screen
  useEffect(() => {
    if (!userId || !hasDrafts(userId)) return setDrafts([]);
    let isCurrent = true;
    void import("./drafts").then(async ({ leftBehind, readDrafts }) => {
      const found = await leftBehind(readDrafts(localStorage, userId));
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
