import { useQuery } from "@apollo/client/react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { POINTS_MAX } from "../limits.generated";
import { NumberField } from "../quiz-builder/AnswerEditor";
import { MAX_DRAWN } from "../quiz-builder/model";
import { roundPoints } from "../quiz-builder/rubric";
import { DrawableQuestionsDocument } from "./Bank.generated";
import classes from "./BankPicker.module.css";
import { type TagCount, TagFilter } from "./Filters";

interface DrawQuestionsProps {
  bankId: string;
  /** The tags of the bank. */
  known: readonly (TagCount & { drawable: number })[];
  tags: readonly string[];
  onTags: (tags: string[]) => void;
  count: number;
  onCount: (count: number) => void;
  /** The points of each question. */
  points: number;
  onPoints: (points: number) => void;
}

/** Says how many questions each attempt draws, and from which. */
export function DrawQuestions({ bankId, known, tags, onTags, ...numbers }: DrawQuestionsProps) {
  const { count, onCount, points, onPoints } = numbers;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(DrawableQuestionsDocument, {
    variables: { id: bankId, tags: tags.length > 0 ? [...tags] : null },
    fetchPolicy: "cache-and-network",
  });
  const matching = data?.bank.id === bankId ? data.bank.questions.drawable : undefined;
  return (
    <>
      <p className={classes.about}>{t("banks.picker.drawText")}</p>
      <TagFilter
        label={t("banks.picker.drawTags")}
        tags={known.map(({ name, drawable }) => ({ name, count: drawable }))}
        chosen={tags}
        onChange={onTags}
      />
      <div className={classes.numbers}>
        <NumberField
          label={t("banks.picker.count")}
          value={count}
          min={1}
          max={MAX_DRAWN}
          isWhole
          onChange={(value) => onCount(value ?? 1)}
        />
        <NumberField
          label={t("banks.picker.points")}
          value={points}
          min={0}
          max={POINTS_MAX}
          onChange={(value) => onPoints(roundPoints(value ?? 0))}
        />
      </div>
      {error && !data ? (
        <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} heading="p" />
      ) : (
        <p role="status" className={classes.matching} data-few={(matching ?? count) < count || undefined}>
          {matching === undefined
            ? t("banks.picker.counting")
            : t("banks.picker.matching", { count: matching })}
          {matching !== undefined && matching < count && ` ${t("banks.picker.tooFew")}`}
        </p>
      )}
    </>
  );
}
