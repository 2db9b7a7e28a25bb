import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { offerUndo } from "../ui/undo";
import classes from "./AnnouncementsScreen.module.css";
import { type DraftKey, dropDraft, keepDraft, readDraft } from "./drafts";
import { NEW } from "./list";

/** Offers to continue or delete the draft of a new announcement, if this device keeps one. */
export function DraftNote({ courseId, userId }: { courseId: string; userId: string }) {
  const { t } = useTranslation();
  const key: DraftKey = `new:${courseId}`;
  const [draft, setDraft] = useState(() => readDraft(userId, key));
  if (!draft) return null;
  const discard = () => {
    dropDraft(userId, key);
    setDraft(null);
    offerUndo(t("learning.announcements.draft.discarded"), () => {
      // A draft that was begun since then stays.
      if (!readDraft(userId, key)) keepDraft(userId, key, draft);
      setDraft(readDraft(userId, key));
    });
  };
  return (
    <section className={classes.draft} aria-label={t("learning.announcements.draft.label")}>
      <p>
        <span className={classes.draftLabel}>{t("learning.announcements.draft.label")}. </span>
        {t("learning.announcements.draft.text", {
          title: draft.title.trim() || t("learning.announcements.draft.untitled"),
        })}
      </p>
      <div className={classes.buttons}>
        <ButtonLink
          to="/view-course/$courseId/announcements"
          params={{ courseId }}
          search={{ write: NEW }}
          variant="default"
        >
          {t("learning.announcements.draft.open")}
        </ButtonLink>
        <Button variant="subtle" onClick={discard}>
          {t("learning.announcements.draft.discard")}
        </Button>
      </div>
    </section>
  );
}
