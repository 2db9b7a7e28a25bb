import type { SaveStatus } from "../editor/saving";
import { useTranslation } from "../i18n/useTranslation";
import { SaveState, type SaveStateKind } from "../ui/SaveState";
import type { DraftState } from "./DraftSession";
import { isEmpty } from "./draftText";

const KINDS: Record<SaveStatus, SaveStateKind> = {
  saved: "saved",
  saving: "saving",
  offline: "offline",
  conflict: "conflict",
  refused: "failed",
  ended: "failed",
};

/** Whether the draft is on the server, or only on this device. */
export function DraftStatus({ draft }: { draft: DraftState }) {
  const { t } = useTranslation();
  const { status, problem, isAtRisk, text } = draft;
  if (isAtRisk) return <SaveState state="failed" text={t("assignment.draft.atRisk")} />;
  // Before anything is written, there is nothing to say.
  if (status === "saved" && isEmpty(text)) return null;
  const reason = problem?.kind === "refused" ? problem.refusal.message : null;
  return <SaveState state={KINDS[status]} text={reason ?? t(`assignment.draft.${status}`)} />;
}
