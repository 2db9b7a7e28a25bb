import { useEffect, useState } from "react";
import type { ContentNode } from "../content/model";
import { takesAttempts } from "../course/takesAttempts";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { toastSuccess } from "../ui/toasts";
import { PageDiff } from "./compare/PageDiff";
import { dateAndTime } from "./dateAndTime";
import { type Draft, forgetDraft, forgetOldDrafts, readDrafts, restoreDraft } from "./drafts";
import type { EditedPage } from "./EditPage";
import { Banner } from "./frame/Banner";
import { abandonedDrafts } from "./locks";
import { modelSchema } from "./schema";
import { fromStored, sameContent } from "./stored";

interface Left {
  draft: Draft;
  title: string | null;
  content: unknown;
  quiz: unknown;
}

interface Props {
  page: EditedPage;
  userId: string;
  onRestore: (text: { title: string | null; content: unknown; quiz?: unknown }) => void;
}

/**
 * Restores the draft that a closed editor of this page could not save, if nobody has changed the page since; otherwise offers it, or each of
 * several drafts.
 */
export function DraftRecovery({ page, userId, onRestore }: Props) {
  const { t, i18n } = useTranslation();
  const [left, setLeft] = useState<Left[]>([]);
  const [isComparing, setComparing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are read once, when the page is opened
  useEffect(() => {
    let isCurrent = true;
    forgetOldDrafts(localStorage, Date.now());
    void abandonedDrafts(readDrafts(localStorage, userId, page.id)).then((drafts) => {
      const found = drafts.map((draft) => ({ draft, ...restoreDraft(modelSchema(), draft) }));
      // A save without an answer may still have reached the server; its draft equals the page.
      for (const one of found) if (isStored(one, page)) forgetDraft(localStorage, one.draft);
      const unsent = found.filter((one) => !isStored(one, page));
      if (!isCurrent) return;
      const [only] = unsent;
      if (only && unsent.length === 1 && isContinued(only.draft, page)) {
        onRestore(textOf(only, page));
        forgetDraft(localStorage, only.draft);
        toastSuccess(t("editor.left.restored"));
      } else setLeft(unsent);
    });
    return () => {
      isCurrent = false;
    };
  }, [page.id, userId]);

  const [newest] = left;
  if (!newest) return null;
  const done = () => {
    forgetDraft(localStorage, newest.draft);
    setLeft(left.slice(1));
    setComparing(false);
  };
  const restore = () => {
    onRestore(textOf(newest, page));
    done();
  };
  const at = dateAndTime(new Date(newest.draft.at).toISOString(), i18n.language, t);
  const buttons = (
    <>
      <Button variant="default" onClick={done}>
        {t("editor.left.discard")}
      </Button>
      <Button onClick={restore}>{t("editor.left.restore")}</Button>
    </>
  );
  return (
    <>
      <Banner text={t("editor.left.banner", { moment: at })}>
        <Button variant="default" onClick={() => setComparing(true)}>
          {t("editor.left.compare")}
        </Button>
        {buttons}
      </Banner>
      <Dialog
        open={isComparing}
        wide="full"
        onClose={() => setComparing(false)}
        title={t("editor.left.title")}
        actions={buttons}
      >
        <PageDiff
          before={{
            heading: t("editor.left.theirs"),
            about: dateAndTime(page.updatedAt, i18n.language, t),
            title: page.title ?? null,
            content: page.content,
            quiz: page.authorQuiz,
          }}
          after={{ heading: t("editor.left.mine"), about: at, ...textOf(newest, page) }}
        />
      </Dialog>
    </>
  );
}

function textOf({ title, content, quiz }: Left, page: EditedPage) {
  return { title, content, ...(takesAttempts(page.kind) && { quiz }) };
}

/**
 * Whether the draft continues the page as it is now, so that there is nothing to choose. Without locks, which browsers do not have over plain
 * HTTP, its editor may still be open in another window.
 */
function isContinued(draft: Draft, page: EditedPage): boolean {
  const isReadable = fromStored(modelSchema(), page.content) !== null;
  return draft.version === page.version && isReadable && "locks" in navigator;
}

function isStored(left: Left, page: EditedPage): boolean {
  return (
    (left.title?.trim() || null) === (page.title ?? null) &&
    sameContent(left.content as ContentNode, page.content as ContentNode) &&
    JSON.stringify(left.quiz ?? null) === JSON.stringify(page.authorQuiz ?? null)
  );
}
