import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { POINTS_MAX } from "../limits.generated";
import { Select } from "../ui/Select";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { NumberField } from "./AnswerEditor";
import classes from "./DrawEditor.module.css";
import type { DrawQuestion } from "./model";
import type { ProblemAt } from "./parts";
import questionClasses from "./QuestionEditor.module.css";
import { roundPoints } from "./rubric";
import type { Banks, QuizBank } from "./useBanks";

interface DrawEditorProps {
  draw: DrawQuestion;
  banks: Pick<Banks, "banks" | "error" | "retry" | "countOf">;
  /** The most questions that it can draw. */
  most: number;
  /** Whether the draws need more questions than there are. */
  isTooSmall: boolean;
  onChange: (draw: DrawQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits a draw: the bank, the tags of its questions, how many an attempt draws, and the points for each. */
export function DrawEditor({ draw, banks: read, most, isTooSmall, onChange, problemAt }: DrawEditorProps) {
  const { t } = useTranslation();
  const { banks, error, retry, countOf } = read;
  const bank = banks?.find(({ id }) => id === draw.bank_id);
  const found = countOf(draw);
  return (
    <div className={questionClasses.question}>
      {error && <LoadFailure error={error} retry={retry} heading="p" />}
      {!banks && !error && <SkeletonBlock height="6rem" />}
      {banks && bank && <Pool draw={draw} banks={banks} bank={bank} onChange={onChange} />}
      {banks && !bank && <p className={classes.hidden}>{t("quizBuilder.draw.hidden")}</p>}
      {!bank && draw.tags.length > 0 && (
        <p className={classes.fact}>
          {t("quizBuilder.draw.tagged", { tags: draw.tags.join(", "), count: draw.tags.length })}
        </p>
      )}
      <div className={questionClasses.numbers}>
        {bank ? (
          <NumberField
            label={t("quizBuilder.draw.count")}
            value={draw.count}
            min={1}
            max={most}
            isWhole
            problem={problemAt("count")}
            onChange={(count) => onChange({ ...draw, count: count ?? 1 })}
          />
        ) : (
          <p className={classes.fact}>{t("quizBuilder.draw.counted", { count: draw.count })}</p>
        )}
        <NumberField
          label={t("quizBuilder.draw.points")}
          value={draw.points}
          min={0}
          max={POINTS_MAX}
          problem={problemAt("points")}
          onChange={(points) => onChange({ ...draw, points: roundPoints(points ?? 0) })}
        />
      </div>
      {bank && found !== null && (
        <p role="status" className={isTooSmall ? classes.warning : classes.found}>
          {t("quizBuilder.draw.found", { count: found })}
          {isTooSmall && ` ${t("quizBuilder.draw.tooFew")}`}
        </p>
      )}
    </div>
  );
}

interface PoolProps {
  draw: DrawQuestion;
  banks: readonly QuizBank[];
  bank: QuizBank;
  onChange: (draw: DrawQuestion) => void;
}

/** Chooses the questions that the draw takes from. */
function Pool({ draw, banks, bank, onChange }: PoolProps) {
  const { t } = useTranslation();
  // A tag that no question has any more stays until the author takes it away.
  const gone = draw.tags.filter((tag) => !bank.tags.some(({ name }) => name === tag));
  const tags = [...bank.tags, ...gone.map((name) => ({ name, drawable: 0 }))];
  return (
    <>
      <Select
        label={t("quizBuilder.draw.bank")}
        value={bank.id}
        onChange={(event) => onChange({ ...draw, bank_id: event.currentTarget.value, tags: [] })}
        options={banks.map(({ id, title }) => ({ value: id, label: title }))}
      />
      {tags.length > 0 && (
        <fieldset className={questionClasses.group}>
          <legend>{t("quizBuilder.draw.tags")}</legend>
          <div className={`${questionClasses.ways} ${classes.tags}`}>
            {tags.map(({ name, drawable }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={draw.tags.includes(name)}
                  onChange={(event) =>
                    onChange({
                      ...draw,
                      tags: event.currentTarget.checked
                        ? [...draw.tags, name]
                        : draw.tags.filter((tag) => tag !== name),
                    })
                  }
                />
                <span>
                  {name} <span className={classes.number}>{drawable}</span>
                </span>
              </label>
            ))}
          </div>
          <p className={questionClasses.hint}>{t("quizBuilder.draw.tagsHint")}</p>
        </fieldset>
      )}
    </>
  );
}
