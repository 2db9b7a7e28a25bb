import { useEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { numberText } from "../quiz-builder/numbers";
import { Button } from "../ui/Button";
import classes from "./AnswerPanel.module.css";
import { AssessmentFacts } from "./AssessmentFacts";
import type { Assessing } from "./drafts";
import { MarkLines } from "./MarkLines";
import type { OpenAnswer } from "./queue";

interface Props {
  /** The answer as another grader has stored it. */
  theirs: OpenAnswer;
  typed: Assessing;
  onKeepTheirs: () => void;
}

/** Two assessments of an answer side by side: the stored one, and the one in the fields. */
export function ConflictAlert({ theirs, typed, onKeepTheirs }: Props) {
  const { t } = useTranslation();
  const told = useRef<HTMLDivElement>(null);
  // On a phone, the conflict is shown above the answer and may be out of view of the fields below it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each conflict is brought into view
  useEffect(() => {
    told.current?.scrollIntoView({ block: "center" });
  }, [theirs]);
  const last = theirs.history.find(({ version }) => version === theirs.version);
  return (
    <div ref={told} className={classes.conflict} role="alert">
      <h3>{t("grading.conflict.title")}</h3>
      <p>{t("grading.conflict.text")}</p>
      <div className={classes.sides}>
        <section aria-label={t("grading.conflict.theirs")}>
          <h4>{t("grading.conflict.theirs")}</h4>
          {last && <AssessmentFacts assessment={last} answer={theirs} />}
          <Button variant="default" size="compact" onClick={onKeepTheirs}>
            {t("grading.conflict.keep")}
          </Button>
        </section>
        <section aria-label={t("grading.conflict.yours")}>
          <h4>{t("grading.conflict.yours")}</h4>
          <p className={classes.given}>
            {t("grading.conflict.typed", { points: typed.points, most: numberText(theirs.maxPoints) })}
          </p>
          <MarkLines rubric={theirs.rubric} marks={typed.choices} pins={typed.pins.length} />
          <p className={classes.comment}>{typed.comment}</p>
        </section>
      </div>
    </div>
  );
}
