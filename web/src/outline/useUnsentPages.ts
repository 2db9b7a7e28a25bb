import { useQuery } from "@apollo/client/react";
import { createContext, useEffect, useState } from "react";
import { MeDocument } from "../shell/Me.generated";

const NONE: ReadonlySet<string> = new Set();

/** The result of `useUnsentPages`, for the rows of an outline. */
export const UnsentPages = createContext(NONE);

/** Ids of the pages whose text this device could not send: it holds drafts of closed editors. Read again when the window is entered. */
export function useUnsentPages(): ReadonlySet<string> {
  const userId = useQuery(MeDocument).data?.me.id;
  const [pages, setPages] = useState(NONE);
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    const read = async () => {
      const { abandonedDrafts, readDrafts } = await import("../editor/drafts");
      const drafts = await abandonedDrafts(readDrafts(localStorage, userId));
      if (isCurrent) setPages(drafts.length > 0 ? new Set(drafts.map(({ pageId }) => pageId)) : NONE);
    };
    // Without the code of drafts there is no mark; the notice of the shell has its own.
    const readQuietly = () => void read().catch(() => {});
    readQuietly();
    window.addEventListener("focus", readQuietly);
    return () => {
      isCurrent = false;
      window.removeEventListener("focus", readQuietly);
    };
  }, [userId]);
  return pages;
}
