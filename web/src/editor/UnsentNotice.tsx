import { useEffect, useState } from "react";
import { withTexts } from "../i18n";
import type { DraftsNotice } from "./DraftsNotice";

interface Props {
  userId: string | undefined;
  pathname: string | undefined;
}

/** The notice of unsaved drafts on every screen. Loads its code only when this device holds drafts. */
export function UnsentNotice({ userId, pathname }: Props) {
  const [loaded, setLoaded] = useState<{ DraftsNotice: typeof DraftsNotice } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are looked for on each screen
  useEffect(() => {
    if (!userId || !hasDrafts(userId)) return;
    withTexts(import("./DraftsNotice"), "forms").then(setLoaded, () => {});
  }, [userId, pathname]);
  return loaded && userId && <loaded.DraftsNotice userId={userId} pathname={pathname} />;
}

function hasDrafts(userId: string): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith(`kurso-draft:${userId}:`));
}
