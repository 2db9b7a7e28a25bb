import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AssignmentPageDocument } from "../assignment/Assignment.generated";
import { AssignmentView } from "../assignment/AssignmentView";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { MAX_ATTEMPTS_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { NumberField } from "./AnswerEditor";
import classes from "./AssignmentBuilder.module.css";
import { missingParts } from "./completeness";
import { GuideField } from "./GuideField";
import { HandInWays } from "./HandInWays";
import { HintsEditor } from "./HintsEditor";
import { type HandInQuestion, handInOf, readQuiz } from "./model";
import { PointsField } from "./PointsField";
import { problemsOf } from "./problems";
import type { QuizBuilderProps } from "./QuizBuilder";
import builder from "./QuizBuilder.module.css";
import { ReleaseField } from "./ReleaseField";
import { RichField } from "./RichField";
import { RubricEditor } from "./RubricEditor";
import { locationOf } from "./refusal";
import { TryOut } from "./TryOut";

/** Edits how the work of an assignment is handed in and graded; the text above has its instructions. */
export function AssignmentBuilder(props: QuizBuilderProps) {
  const { pageId, revision, onChange, onSave, isSaved, refusal, isPreview, wanted } = props;
  const { t } = useTranslation();
  const quiz = readQuiz(props.quiz);
  const question = handInOf(quiz);
  const [isTrying, setTrying] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const showProblem = useEffectEvent(() => {
    flushSync(() => setTrying(false));
    const field = root.current?.querySelector<HTMLElement>(
      "[data-problem] :is([role=textbox], input), [aria-invalid=true]",
    );
    (field ?? root.current?.querySelector<HTMLElement>("h2"))?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  });
  // After the dialog that leads here, which gives the focus back when it closes.
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => showProblem(), 0);
    return () => clearTimeout(timer);
  }, [wanted]);
  if (!question) return null;

  const missing = missingParts(quiz);
  const refused = locationOf(refusal);
  const problemAt = problemsOf(missing, refused ? refusal : null, (lack) => t(`quizBuilder.lacks.${lack}`));
  const change = (next: HandInQuestion) => onChange({ ...quiz, questions: [next] });
  /** Changes the question as it is at that time, for what is undone later. */
  const edit = (how: (question: HandInQuestion) => HandInQuestion) =>
    onChange((current) => {
      const now = readQuiz(current);
      const present = handInOf(now);
      return present ? { ...now, questions: [how(present)] } : now;
    });
  const stopTrying = () => {
    flushSync(() => setTrying(false));
    root.current?.querySelector<HTMLElement>("[data-try]")?.focus();
  };
  if (isTrying || isPreview) {
    return (
      <TryOut
        pageId={pageId}
        of="assignment"
        query={AssignmentPageDocument}
        // A try-out stores no draft, so it needs no user.
        show={(page) => <AssignmentView key={page.version} page={page} userId="" mode="try" />}
        isSaved={isSaved}
        onClose={isPreview ? null : stopTrying}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left one of its fields
    <div ref={root} key={revision} className={builder.builder} onBlur={onSave}>
      <div className={builder.head}>
        <h2>{t("quizBuilder.handIn.title")}</h2>
        <p className={builder.facts}>{t("quiz.points", { count: question.points })}</p>
        <Button
          variant="default"
          data-try
          onClick={() => {
            onSave();
            setTrying(true);
          }}
        >
          {t("quizBuilder.handIn.try")}
        </Button>
      </div>
      {refused && refusal && problemAt(refused.at) === null && (
        <p role="alert" className={builder.refusal}>
          {refusal.message}
        </p>
      )}
      <div className={classes.parts}>
        {isFilledDocument(question.prompt) && (
          <RichField
            label={t("quizBuilder.handIn.prompt")}
            isLabelSeen
            value={question.prompt}
            onChange={(prompt) => change({ ...question, prompt })}
            problem={problemAt("prompt")}
          />
        )}
        <HandInWays question={question} onChange={change} problemAt={problemAt} />
        <HintsEditor
          hints={question.hints ?? []}
          onEdit={(how) => edit((now) => ({ ...now, hints: how(now.hints ?? []) }))}
          problemAt={problemAt}
        />
        <section className={classes.section} aria-labelledby="assignment-grading">
          <h3 id="assignment-grading">{t("quizBuilder.handIn.grading")}</h3>
          <div className={classes.numbers}>
            <PointsField
              question={question}
              onChange={(points) => change({ ...question, points })}
              problemAt={problemAt}
            />
            <NumberField
              label={t("quizBuilder.handIn.passPercent")}
              hint={t("quizBuilder.handIn.passPercentHint")}
              value={quiz.pass_percent}
              min={0}
              max={100}
              isWhole
              onChange={(value) => value !== null && onChange({ ...quiz, pass_percent: value })}
            />
          </div>
          <RubricEditor
            pageId={pageId}
            question={question}
            onEdit={(how) => edit((now) => how(now) as HandInQuestion)}
            problemAt={problemAt}
          />
          <GuideField
            guide={question.guide}
            onChange={(guide) => change({ ...question, guide })}
            problemAt={problemAt}
          />
          <ReleaseField quiz={quiz} onChange={onChange} />
        </section>
        <section className={classes.section} aria-labelledby="assignment-limits">
          <h3 id="assignment-limits">{t("quizBuilder.handIn.limits")}</h3>
          <div className={classes.limit}>
            <NumberField
              label={t("quizBuilder.handIn.maxAttempts")}
              hint={t("quizBuilder.handIn.maxAttemptsHint")}
              value={quiz.max_attempts}
              isOptional
              min={1}
              max={MAX_ATTEMPTS_MAX}
              isWhole
              onChange={(max_attempts) => onChange({ ...quiz, max_attempts })}
            />
          </div>
        </section>
      </div>
    </div>
  );
}
