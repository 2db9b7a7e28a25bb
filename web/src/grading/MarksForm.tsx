import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { MARK_WRITE_COMMENT_MAX } from "../limits.generated";
import type { Rubric } from "../quiz/rubric";
import { Button } from "../ui/Button";
import { IconCheck } from "../ui/icons";
import { TextArea } from "../ui/TextArea";
import classes from "./MarksForm.module.css";
import { type Choice, commented, mergedChoices, nextCriterion, toggled } from "./marks";
import { useUndo } from "./useUndo";

interface MarksFormProps {
  rubric: Rubric;
  choices: readonly Choice[];
  /** Whether the assessment is being stored. */
  isBusy: boolean;
  onChange: (choices: Choice[]) => void;
}

/**
 * The criteria of a question with their levels; one criterion is open at a time. Choosing a level opens the next one. A digit key clicks
 * the level that has it as `data-level` (see GradingTab).
 */
export function MarksForm({ rubric, choices, isBusy, onChange }: MarksFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const offerUndo = useUndo();
  const latest = useRef(choices);
  useEffect(() => {
    latest.current = choices;
  }, [choices]);
  const root = useRef<HTMLFieldSetElement>(null);
  /** The criterion that the grader has opened; null before, when the first one without a level is open. */
  const [opened, setOpened] = useState<number | null>(null);
  const current = opened ?? nextCriterion(choices, -1);
  const open = (index: number) => {
    flushSync(() => setOpened(index));
    focusCurrent(root.current);
  };
  const choose = (index: number, criterionId: string, levelId: string) => {
    const next = toggled(choices, criterionId, levelId);
    const isTakenBack = next[index]?.levelId === null;
    flushSync(() => onChange(next));
    open(isTakenBack ? index : nextCriterion(next, index));
  };
  const clear = () => {
    flushSync(() => onChange(choices.map((one) => ({ ...one, levelId: null, comment: "" }))));
    open(0);
    offerUndo(t("grading.rubric.cleared"), () => onChange(mergedChoices(latest.current, choices)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    open(Math.min(Math.max(current + by, 0), rubric.criteria.length - 1));
  };
  const isMarked = choices.some(({ levelId }) => levelId !== null);
  return (
    <fieldset ref={root} className={classes.marks} disabled={isBusy} onKeyDown={onKeyDown}>
      <legend>{t("quiz.rubric.criteria")}</legend>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
      <ol role="list" className={classes.criteria}>
        {rubric.criteria.map(({ id: criterionId, name, description, maxPoints, levels }, index) => {
          const isOpen = index === current;
          const choice = choices.find((one) => one.criterionId === criterionId);
          const chosen = levels.find((level) => level.id === choice?.levelId);
          const title = name || t("quiz.rubric.criterion", { number: index + 1 });
          return (
            <li key={criterionId} data-criterion data-current={isOpen || undefined}>
              <button
                type="button"
                className={classes.head}
                aria-expanded={isOpen}
                aria-controls={isOpen ? `${id}-${index}` : undefined}
                onClick={() => open(index)}
              >
                <span className={classes.name}>{title}</span>
                <span className={classes.got} data-chosen={chosen ? "" : undefined}>
                  {chosen
                    ? t("quiz.pointsOf", { points: chosen.points, count: maxPoints })
                    : t("quiz.rubric.upTo", { count: maxPoints })}
                </span>
                {!isOpen && chosen?.name && <span className={classes.chosen}>{chosen.name}</span>}
                {!isOpen && choice?.comment && <span className={classes.said}>{choice.comment}</span>}
              </button>
              {isOpen && (
                <div id={`${id}-${index}`} className={classes.open}>
                  {description && <p className={classes.description}>{description}</p>}
                  {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would repeat its legend at each level */}
                  <div role="group" aria-label={title} className={classes.levels}>
                    {levels.map((level, at) => (
                      <button
                        key={level.id}
                        type="button"
                        data-level={at < 10 ? (at + 1) % 10 : undefined}
                        aria-pressed={level.id === choice?.levelId}
                        onClick={() => choose(index, criterionId, level.id)}
                      >
                        {at < 10 && <kbd>{(at + 1) % 10}</kbd>}
                        <span className={classes.level}>
                          {level.name || t("quiz.points", { count: level.points })}
                        </span>
                        <span className={classes.points}>
                          {level.name && t("quiz.points", { count: level.points })}
                        </span>
                        <IconCheck size={16} className={classes.tick} />
                        {level.description && <small>{level.description}</small>}
                      </button>
                    ))}
                  </div>
                  <TextArea
                    aria-label={t("grading.rubric.comment", { name: title })}
                    placeholder={t("grading.rubric.commentHint")}
                    rows={1}
                    maxLength={MARK_WRITE_COMMENT_MAX}
                    value={choice?.comment ?? ""}
                    onChange={(event) => onChange(commented(choices, criterionId, event.currentTarget.value))}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {isMarked && (
        <Button variant="subtle" size="compact" className={classes.clear} onClick={clear}>
          {t("grading.rubric.clear")}
        </Button>
      )}
    </fieldset>
  );
}

/** Focuses the chosen level of the open criterion, else its first one. */
export function focusCurrent(root: Element | null): boolean {
  const levels = root?.querySelector("[data-current] [data-level]")?.parentElement;
  const level =
    levels?.querySelector<HTMLElement>("[aria-pressed=true]") ??
    levels?.querySelector<HTMLElement>("[data-level]");
  level?.focus();
  return level !== undefined && level !== null;
}
