import { useQuery } from "@apollo/client/react";
import { createContext, useEffect, useState } from "react";
import { MeDocument } from "../shell/Me.generated";
import type { Draft } from "./drafts";

const NONE: ReadonlySet<string> = new Set();

/** The result of `useUnsentPages`, for the rows of an outline. */
export const UnsentPages = createContext(NONE);

/** Ids of the pages whose text this device could not send. */
export const useUnsentPages = () => useUnsent(pageOf);
/** Ids of the courses with such pages. */
export const useUnsentCourses = () => useUnsent(courseOf);

const pageOf = ({ pageId }: Draft) => pageId;
const courseOf = ({ label }: Draft) => label.courseId;

/** What `idOf` names of each draft of a closed editor on this device. Read again when the window is entered. */
function useUnsent(idOf: (draft: Draft) => string | undefined): ReadonlySet<string> {
  const userId = useQuery(MeDocument).data?.me.id;
  const [ids, setIds] = useState(NONE);
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    const read = async () => {
      const [{ readDrafts }, { abandonedDrafts }] = await Promise.all([
        import("./drafts"),
        import("./locks"),
      ]);
      const drafts = await abandonedDrafts(readDrafts(localStorage, userId));
      const found = drafts.map(idOf).filter((id) => id !== undefined);
      if (isCurrent) setIds(found.length > 0 ? new Set(found) : NONE);
    };
    // Without the code of drafts there is no mark; the notice of the shell has its own.
    const readQuietly = () => void read().catch(() => {});
    readQuietly();
    window.addEventListener("focus", readQuietly);
    return () => {
      isCurrent = false;
      window.removeEventListener("focus", readQuietly);
    };
  }, [userId, idOf]);
  return ids;
}
