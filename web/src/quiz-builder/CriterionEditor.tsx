import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import {
  CRITERION_WRITE_DESCRIPTION_MAX,
  CRITERION_WRITE_NAME_MAX,
  LEVEL_WRITE_DESCRIPTION_MAX,
  LEVEL_WRITE_NAME_MAX,
  LEVELS_MAX,
  POINTS_MAX,
} from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { TextArea } from "../ui/TextArea";
import { offerUndo } from "../ui/undo";
import { NumberField } from "./AnswerEditor";
import { AddButton, type ProblemAt, TextField } from "./parts";
import partClasses from "./parts.module.css";
import classes from "./RubricEditor.module.css";
import { type AuthorCriterion, type AuthorLevel, bestOf, newLevel, roundPoints } from "./rubric";

interface CriterionProps {
  criterion: AuthorCriterion;
  /** Position from 1. */
  number: number;
  onChange: (criterion: AuthorCriterion) => void;
  problemAt: ProblemAt;
}

/** Edits the name of a criterion, or removes it. */
export function CriterionHead(props: CriterionProps & { onRemove: () => void }) {
  const { criterion, number, onChange, onRemove, problemAt } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <TextField
          label={t("quiz.rubric.criterion", { number })}
          data-criterion-name=""
          value={criterion.name}
          maxLength={CRITERION_WRITE_NAME_MAX}
          problem={problemAt("name")}
          onChange={(event) => onChange({ ...criterion, name: event.currentTarget.value })}
        />
      </div>
      <IconButton
        className={classes.remove}
        aria-label={t("quizBuilder.remove", {
          name: criterion.name || t("quiz.rubric.criterion", { number }),
        })}
        onClick={onRemove}
      >
        <IconClose size={18} />
      </IconButton>
    </div>
  );
}

interface CriterionBodyProps extends CriterionProps {
  /** Changes the criterion as it is at that time. */
  onEdit: (change: (criterion: AuthorCriterion) => AuthorCriterion) => void;
}

/** Edits the description of a criterion and its levels. */
export function CriterionBody({ criterion, number, onChange, onEdit, problemAt }: CriterionBodyProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const { name, description, levels } = criterion;
  const title = name || t("quiz.rubric.criterion", { number });
  const levelName = (level: AuthorLevel, index: number) =>
    level.name || t("quizBuilder.rubric.level", { number: index + 1 });
  const put = (changed: AuthorLevel[]) => onChange({ ...criterion, levels: changed });
  const focus = (index: number) =>
    root.current?.querySelectorAll<HTMLElement>("[data-level-name]")[index]?.focus();
  const add = (at: number) => {
    if (levels.length >= LEVELS_MAX) return;
    flushSync(() => put([...levels.slice(0, at), newLevel(), ...levels.slice(at)]));
    focus(at);
  };
  const remove = (level: AuthorLevel, index: number) => {
    flushSync(() => put(levels.filter(({ id }) => id !== level.id)));
    focus(Math.max(index - 1, 0));
    offerUndo(t("quizBuilder.rubric.removedLevel", { name: levelName(level, index) }), () =>
      onEdit((criterion) => ({
        ...criterion,
        levels: [...criterion.levels.slice(0, index), level, ...criterion.levels.slice(index)],
      })),
    );
  };
  return (
    <div ref={root} className={classes.criterion}>
      <TextArea
        aria-label={t("quizBuilder.rubric.descriptionOf", { name: title })}
        placeholder={t("quizBuilder.rubric.description")}
        inputClassName={classes.growing}
        rows={1}
        value={description}
        maxLength={CRITERION_WRITE_DESCRIPTION_MAX}
        error={problemAt("description")}
        onChange={(event) => onChange({ ...criterion, description: event.currentTarget.value })}
      />
      <Sortable
        items={levels}
        idOf={({ id }) => id}
        nameOf={levelName}
        label={t("quizBuilder.rubric.levelsOf", { name: title })}
        className={classes.levels}
        onMove={(from, to) => put([...moveItem(levels, from, to)])}
      >
        {(level, index) => {
          const change = (over: Partial<AuthorLevel>) =>
            put(levels.map((one) => (one.id === level.id ? { ...one, ...over } : one)));
          const label = levelName(level, index);
          return (
            <div className={classes.level}>
              <TextField
                label={t("quizBuilder.rubric.level", { number: index + 1 })}
                isLabelHidden
                placeholder={t("quizBuilder.rubric.levelName")}
                data-level-name=""
                value={level.name}
                maxLength={LEVEL_WRITE_NAME_MAX}
                problem={problemAt(`levels[${index}].name`)}
                onChange={(event) => change({ name: event.currentTarget.value })}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                  event.preventDefault();
                  if (index + 1 < levels.length) focus(index + 1);
                  else add(index + 1);
                }}
              />
              <NumberField
                label={t("quizBuilder.rubric.pointsOf", { name: label })}
                isLabelHidden
                value={level.points}
                min={0}
                max={POINTS_MAX}
                problem={problemAt(`levels[${index}].points`)}
                onChange={(points) => change({ points: roundPoints(points ?? 0) })}
              />
              <div className={classes.about}>
                <TextArea
                  aria-label={t("quizBuilder.rubric.descriptionOf", { name: label })}
                  placeholder={t("quizBuilder.rubric.description")}
                  inputClassName={classes.growing}
                  rows={1}
                  value={level.description}
                  maxLength={LEVEL_WRITE_DESCRIPTION_MAX}
                  error={problemAt(`levels[${index}].description`)}
                  onChange={(event) => change({ description: event.currentTarget.value })}
                />
              </div>
              <IconButton
                className={partClasses.remove}
                aria-label={t("quizBuilder.remove", { name: label })}
                onClick={() => remove(level, index)}
              >
                <IconClose size={18} />
              </IconButton>
            </div>
          );
        }}
      </Sortable>
      {problemAt("levels") && <p className={partClasses.problem}>{problemAt("levels")}</p>}
      <div className={classes.foot}>
        <AddButton disabled={levels.length >= LEVELS_MAX} onClick={() => add(levels.length)}>
          {t("quizBuilder.rubric.addLevel")}
        </AddButton>
        <span>{t("quiz.rubric.upTo", { count: bestOf(criterion) })}</span>
      </div>
    </div>
  );
}
