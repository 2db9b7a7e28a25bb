import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { HandedIn } from "../quiz/HandedIn";
import { Button } from "../ui/Button";
import classes from "./DraftConflict.module.css";
import type { DraftSession, DraftState } from "./DraftSession";
import type { DraftText } from "./draftText";
import type { ConflictingText } from "./sendDraft";

interface DraftConflictProps {
  session: DraftSession;
  draft: DraftState;
}

/** Two drafts of one work that were written apart: both are shown, and the learner keeps one of them or both. */
export function DraftConflict({ session, draft }: DraftConflictProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (draft.problem?.kind !== "conflict") return null;
  const theirs = draft.problem.stored.text as ConflictingText;
  const side = (heading: string, text: DraftText, keep: () => void) => (
    <section className={classes.side}>
      <h4>{heading}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long draft is scrolled by keys */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no set of form fields */}
      <div className={classes.text} role="group" aria-label={heading} tabIndex={0}>
        <HandedIn answer={{ ...text, files: [...text.files], links: [...text.links] }} />
      </div>
      <Button variant="default" onClick={keep}>
        {t("assignment.conflict.keep")}
      </Button>
    </section>
  );
  return (
    <div role="alert" className={classes.conflict} data-conflict>
      <h3>{t("assignment.conflict.title")}</h3>
      <p>{t("assignment.conflict.text")}</p>
      <p>
        <Button onClick={() => session.keepBoth()}>{t("assignment.conflict.keepBoth")}</Button>
      </p>
      <div className={classes.sides}>
        {side(t("assignment.conflict.mine"), draft.text, () => session.keepMine())}
        {side(
          theirs.savedAt
            ? t("assignment.conflict.theirsAt", {
                when: formatDateTime(theirs.savedAt, now, i18n.language, t),
              })
            : t("assignment.conflict.theirs"),
          theirs,
          () => session.takeTheirs(),
        )}
      </div>
    </div>
  );
}
