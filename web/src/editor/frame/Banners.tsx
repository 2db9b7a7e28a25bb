import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { BehindBanner } from "../../unpublished/BehindBanner";
import { DraftRecovery } from "../DraftRecovery";
import type { EditedPage } from "../EditPage";
import type { EditSession, EditState } from "../EditSession";
import { useEditSession } from "../useEditSession";
import { Banner } from "./Banner";

interface Props {
  session: EditSession;
  page: EditedPage;
  userId: string;
  isDeleted: boolean;
  /** The published text was changed after the changes here were begun. */
  isBehind: boolean;
  onConflict: () => void;
}

const chooseProblems = ({ problem, isAtRisk, isReadable }: EditState) => ({ problem, isAtRisk, isReadable });

/** Everything the author has to know about the open page: drafts to restore, conflicts, refusals and failures. */
export function Banners({ session, page, userId, isDeleted, isBehind, onConflict }: Props) {
  const { t } = useTranslation();
  const { problem, isAtRisk, isReadable } = useEditSession(session, chooseProblems);
  const refusedBlock = problem?.kind === "refused" ? blockOf(problem.refusal.path) : null;
  return (
    <>
      <DraftRecovery page={page} userId={userId} onRestore={(text) => session.restoreDraft(text)} />
      {isDeleted && <Banner kind="danger" text={t("editor.deleted")} />}
      {isBehind && !isDeleted && isReadable && problem?.kind !== "conflict" && (
        <BehindBanner session={session} pageId={page.id} />
      )}
      {problem?.kind === "conflict" && (
        <Banner text={t("editor.conflict.banner")}>
          <Button onClick={onConflict}>{t("editor.conflict.open")}</Button>
        </Banner>
      )}
      {problem?.kind === "refused" && (
        <Banner kind="danger" text={t("editor.refused.banner", { message: problem.refusal.message })}>
          {refusedBlock !== null && (
            <Button variant="default" onClick={() => session.showBlock(refusedBlock)}>
              {t("editor.refused.show")}
            </Button>
          )}
        </Banner>
      )}
      {isAtRisk && <Banner kind="danger" text={t("editor.atRisk")} />}
      {!isReadable && <Banner kind="danger" text={t("editor.unreadable")} />}
    </>
  );
}

/** The index of the block that a path names: 3 for `content.content[3].attrs.src`. */
function blockOf(path: string | null): number | null {
  const number = /^content\.content\[(\d+)\]/.exec(path ?? "")?.[1];
  return number === undefined ? null : Number(number);
}
