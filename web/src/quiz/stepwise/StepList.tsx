import { useTranslation } from "../../i18n/useTranslation";
import { IconCheck, IconClose } from "../../ui/icons";
import { IconClock } from "../../ui/timeIcons";
import type { Question } from "../model";
import type { Checks } from "./checks";
import classes from "./StepList.module.css";
import { type Step, stepOf } from "./step";

const ICONS: Partial<Record<Step, typeof IconCheck>> = {
  right: IconCheck,
  partly: IconCheck,
  fixed: IconCheck,
  wrong: IconClose,
  waiting: IconClock,
};

interface StepListProps {
  questions: readonly Question[];
  /** The index of the shown question. */
  current: number;
  results: Checks["results"];
  /** Whether a check is on its way. */
  isDisabled: boolean;
  onShow: (index: number) => void;
}

/** The questions by number, with the state of each. */
export function StepList({ questions, current, results, isDisabled, onShow }: StepListProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("quiz.stepwise.steps")}>
      <ol className={classes.steps}>
        {questions.map(({ id }, index) => {
          const step = stepOf(results[id]);
          const Icon = ICONS[step];
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.step}
                data-step={step}
                aria-current={index === current ? "step" : undefined}
                aria-disabled={isDisabled || undefined}
                aria-label={t(`quiz.stepwise.step.${step}`, { number: index + 1 })}
                onClick={() => onShow(index)}
              >
                {index + 1}
                {Icon && <Icon size={14} />}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
