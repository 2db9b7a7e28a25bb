import { useState } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { optional } from "../ui/optional";
import { TextSkeleton } from "../ui/Skeletons";
import { Composer } from "./Composer";
import { type CommentDraft, readDraft } from "./drafts";
import type { Place } from "./openComments";
import classes from "./Thread.module.css";
import type { Reader } from "./ThreadCard";

/** Loaded when the first change is proposed. */
const SuggestionField = optional(
  () => withTexts(import("./SuggestionField"), "quizBuilder").then(({ SuggestionField }) => SuggestionField),
  <TextSkeleton lines={3} />,
);

interface Props {
  pageId: string;
  reader: Reader;
  place: Place | null;
  /** The block of the place, for those who propose changes; null for others. */
  original: unknown;
  onSend: (stored: string, place: Place | null, suggestion: readonly unknown[] | null) => Promise<unknown>;
  onCancel: () => void;
}

/** The form that starts a thread, with a proposed change of the block if the person may not change it. */
export function NewThread({ pageId, reader, place, original, onSend, onCancel }: Props) {
  const { t } = useTranslation();
  const { userId, courseId } = reader;
  const draftKey = `new:${pageId}` as const;
  const [suggestion, setSuggestion] = useState<CommentDraft["suggestion"]>(() => {
    const draft = readDraft(userId, draftKey);
    // The proposed text of another block is not one of this block.
    return draft?.place?.block === place?.block ? (draft?.suggestion ?? null) : null;
  });
  const mayPropose = place !== null && original !== null;
  const proposed = mayPropose ? suggestion : null;
  const isChanged = proposed && JSON.stringify(proposed) !== JSON.stringify([original]);
  return (
    <section className={classes.started} aria-label={t("comments.new")}>
      <p className={classes.about}>
        {place ? (
          <q className={classes.quoted}>{place.quote || t("comments.noWords")}</q>
        ) : (
          t("comments.wholePage")
        )}
      </p>
      <Composer
        userId={userId}
        courseId={courseId}
        draftKey={draftKey}
        extra={{ place, suggestion: proposed ?? null }}
        label={t("comments.new")}
        placeholder={t(proposed ? "comments.suggestion.why" : "comments.newPlaceholder")}
        send={t(proposed ? "comments.suggestion.send" : "comments.send")}
        fallback={isChanged ? t("comments.suggestion.fallback") : undefined}
        autoFocus
        onSend={(stored) => onSend(stored, place, isChanged ? proposed : null)}
        onCancel={onCancel}
      >
        {proposed ? (
          <SuggestionField value={proposed} onChange={setSuggestion} onRemove={() => setSuggestion(null)} />
        ) : (
          mayPropose && (
            <div>
              <Button variant="default" size="compact" onClick={() => setSuggestion([original])}>
                {t("comments.suggestion.propose")}
              </Button>
            </div>
          )
        )}
      </Composer>
    </section>
  );
}
