import { useApolloClient } from "@apollo/client/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { dateAndTime } from "../editor/dateAndTime";
import { type PageText, serverText } from "../editor/pageText";
import { useTranslation } from "../i18n/useTranslation";
import { type MissingPart, missingParts } from "../quiz-builder/completeness";
import { drawableIn } from "../quiz-builder/drawable";
import { readQuiz } from "../quiz-builder/model";
import { PageChangesDocument, type PageChangesQuery } from "./Unpublished.generated";

interface ShownText {
  version: number;
  text: PageText;
  /** When it was last changed. */
  at: string;
  /** By whom, and when. */
  about: string;
}

/** The text of a page that learners see, and its unpublished changes. */
export interface ShownPage extends ShownText {
  kind: PageChangesQuery["page"]["kind"];
  /** Null without changes. */
  changes: (ShownText & { isBehind: boolean; missing: MissingPart[] }) | null;
}

/** Reads both texts of a page when the component mounts, and again with `read`. */
export function useShownPage(pageId: string, settle?: () => Promise<boolean>) {
  const client = useApolloClient();
  const { t, i18n } = useTranslation();
  const [state, setState] = useState<{ shown?: ShownPage; error?: unknown; isUnsaved?: boolean }>({});
  const settleFirst = useRef(settle);
  const read = useCallback(async () => {
    if (settleFirst.current && !(await settleFirst.current())) return setState({ isUnsaved: true });
    try {
      const variables = { id: pageId };
      const { data, error } = await client.query({
        query: PageChangesDocument,
        variables,
        fetchPolicy: "network-only",
      });
      if (!data) return setState({ error });
      const at = (iso: string) => dateAndTime(iso, i18n.language, t);
      const countOf = drawableIn(client.cache);
      const { page } = data;
      const draft = page.pageDraft;
      setState({
        shown: {
          kind: page.kind,
          version: page.version,
          text: serverText(page),
          at: at(page.updatedAt),
          about: at(page.updatedAt),
          changes: draft
            ? {
                version: draft.version,
                text: serverText(draft),
                at: at(draft.savedAt),
                about: t("unpublished.dialog.aboutAfter", {
                  name: draft.editor?.fullName ?? t("unpublished.someone"),
                  moment: at(draft.savedAt),
                }),
                isBehind: draft.isBehind,
                missing: draft.authorQuiz ? missingParts(readQuiz(draft.authorQuiz), countOf) : [],
              }
            : null,
        },
      });
    } catch (error) {
      setState({ error });
    }
  }, [client, pageId, t, i18n.language]);
  useEffect(() => void read(), [read]);
  return { ...state, read };
}
