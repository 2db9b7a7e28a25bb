import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ConflictDialog, type ConflictWords } from "../editor/ConflictDialog";
import { type Conflict, mergeTexts, resolved } from "../editor/compare/mergeTexts";
import type { EditSession } from "../editor/EditSession";
import { Banner } from "../editor/frame/Banner";
import { type PageText, serverText } from "../editor/pageText";
import type { ConflictingText } from "../editor/sendPage";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { toastProblem } from "../ui/toastProblem";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ChangesBaseDocument, PageChangesDocument } from "./Unpublished.generated";

interface Props {
  session: EditSession;
  pageId: string;
}

/** Both texts of a page whose published text was changed beside its unpublished changes. */
interface Texts {
  mine: PageText;
  theirs: ConflictingText;
  /** The published version. */
  version: number;
  /** Null when the text that both were made of is unknown. */
  conflict: Conflict | null;
}

const WORDS: ConflictWords = {
  title: "unpublished.behind.title",
  mine: "unpublished.behind.mine",
  mineAbout: "unpublished.behind.mineAbout",
  theirs: "unpublished.behind.theirs",
  hint: "unpublished.behind.hint",
  keepMine: "unpublished.behind.keepMine",
  takeTheirs: "unpublished.behind.takeTheirs",
};

/** Says that the published text was changed after the author had started, and merges both texts. */
export function BehindBanner({ session, pageId }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [texts, setTexts] = useState<Texts | null>(null);
  const [busy, setBusy] = useState(false);

  const read = async (): Promise<Texts | null> => {
    // Without everything saved, the text of the server is not the one to merge.
    if (!(await session.settle())) {
      toastProblem(t("unpublished.cannotSave"));
      return null;
    }
    const variables = { id: pageId };
    const fetchPolicy = "network-only";
    const page = (await client.query({ query: PageChangesDocument, variables, fetchPolicy })).data?.page;
    const draft = page?.pageDraft;
    if (!page || !draft?.isBehind) return null;
    const { baseVersion } = draft;
    const history = await client.query({
      query: ChangesBaseDocument,
      variables: { ...variables, version: baseVersion },
      fetchPolicy,
    });
    const { versionText: base, versions } = history.data?.page ?? {};
    const saved = versions?.find(({ version }) => version === page.version);
    const mine = serverText(draft);
    const theirs = {
      ...serverText(page),
      by: saved?.editor?.fullName ?? null,
      at: saved?.savedAt ?? page.updatedAt,
    };
    const conflict = base ? mergeTexts(serverText(base), mine, theirs) : null;
    return { mine, theirs, version: page.version, conflict };
  };
  const take = (text: Pick<PageText, "title" | "content" | "quiz">, version: number) => {
    session.takePublished(text, version);
    toastSuccess(t("unpublished.behind.merged"));
  };
  const merge = async () => {
    setBusy(true);
    try {
      const found = await read();
      if (found?.conflict?.choices === 0)
        take(
          resolved(found.conflict, () => "mine"),
          found.version,
        );
      else setTexts(found);
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Banner text={t("unpublished.behind.banner")}>
        <Button onClick={() => void merge()} loading={busy}>
          {t("unpublished.behind.merge")}
        </Button>
      </Banner>
      {texts && (
        <ConflictDialog
          words={WORDS}
          {...texts}
          onClose={() => setTexts(null)}
          onMerge={(text) => take(text, texts.version)}
          onKeepMine={() => take(texts.mine, texts.version)}
          onTakeTheirs={() => take(texts.theirs, texts.version)}
        />
      )}
    </>
  );
}
