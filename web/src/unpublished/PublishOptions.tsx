import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { RadioGroup } from "../ui/RadioGroup";
import { Consequences } from "./Consequences";
import classes from "./PublishOptions.module.css";
import type { Publishing } from "./usePublishing";

const IMPORTANCE = ["CORRECTION", "IMPORTANT"] as const;
const PAST = ["KEEP", "REGRADE"] as const;
const REMOVED = ["EXCLUDE", "FULL_POINTS"] as const;

/** How important the changes are, what becomes of past attempts, and what that changes in the results of learners. */
export function PublishOptions({ publishing }: { publishing: Publishing }) {
  const { t } = useTranslation();
  const { choice, choose, effect, hasAttempts, error, read } = publishing;
  return (
    <div className={classes.options}>
      <RadioGroup
        label={t("unpublished.publishing.importance.label")}
        value={choice.importance}
        options={IMPORTANCE.map((value) => ({
          value,
          label: t(`unpublished.publishing.importance.${value}`),
          about: t(`unpublished.publishing.importance.about.${value}`),
        }))}
        onChange={(importance) => choose({ importance })}
      />
      {effect.isChanged && hasAttempts && (
        <RadioGroup
          label={t("unpublished.publishing.past.label")}
          value={choice.pastAttempts}
          options={PAST.map((value) => ({
            value,
            label: t(`unpublished.publishing.past.${value}`),
            about: t(`unpublished.publishing.past.about.${value}`),
          }))}
          onChange={(pastAttempts) => choose({ pastAttempts })}
        />
      )}
      {choice.pastAttempts === "REGRADE" && effect.isRemoved && (
        <RadioGroup
          label={t("unpublished.publishing.removed.label")}
          value={choice.removedQuestions}
          options={REMOVED.map((value) => ({
            value,
            label: t(`unpublished.publishing.removed.${value}`),
            about: t(`unpublished.publishing.removed.about.${value}`),
          }))}
          onChange={(removedQuestions) => choose({ removedQuestions })}
        />
      )}
      {error !== undefined ? (
        <LoadFailure error={error} retry={read} heading="p" />
      ) : (
        effect.isChanged && <Consequences publishing={publishing} />
      )}
    </div>
  );
}
