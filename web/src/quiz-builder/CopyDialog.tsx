import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Select";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import classes from "./CopyDialog.module.css";
import { isDraw } from "./draws";
import { type AuthorQuestion, copyOf, readQuiz } from "./model";
import { drawWords, questionWords } from "./QuestionHeader";
import { QuizSourceDocument, QuizSourcesDocument } from "./QuizSources.generated";

interface CopyDialogProps {
  pageId: string;
  onCopy: (questions: AuthorQuestion[]) => void;
  onClose: () => void;
}

/** Copies questions from another quiz of the course. */
export function CopyDialog({ pageId, onCopy, onClose }: CopyDialogProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const sources = useQuery(QuizSourcesDocument, { variables: { id: pageId } });
  const source = useQuery(QuizSourceDocument, {
    variables: { id: from },
    skip: from === "",
    fetchPolicy: "network-only",
  });
  const quizzes = (sources.data?.page.course.modules ?? [])
    .flatMap(({ lessons }) => lessons)
    .flatMap((lesson) => lesson.pages.map((page) => ({ ...page, lesson: lesson.title })))
    .filter(({ id, kind }) => kind === "QUIZ" && id !== pageId);
  const questions =
    from && source.data?.page.id === from ? readQuiz(source.data.page.authorQuiz).questions : null;
  const error = sources.error ?? source.error;

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("quizBuilder.copy.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button
            disabled={chosen.size === 0}
            onClick={() => onCopy((questions ?? []).filter(({ id }) => chosen.has(id)).map(copyOf))}
          >
            {t("quizBuilder.copy.take", { count: chosen.size })}
          </Button>
        </>
      }
    >
      {error && (
        <LoadFailure error={error} retry={() => void (from ? source.refetch() : sources.refetch())} />
      )}
      {sources.data && quizzes.length === 0 && <p>{t("quizBuilder.copy.none")}</p>}
      {!sources.data && !error && <SkeletonBlock height="2.6rem" />}
      {quizzes.length > 0 && (
        <Select
          label={t("quizBuilder.copy.from")}
          data-autofocus
          value={from}
          onChange={(event) => {
            setFrom(event.currentTarget.value);
            setChosen(new Set());
          }}
          options={[
            { value: "", label: t("quiz.chooseOption") },
            ...quizzes.map((page) => ({
              value: page.id,
              label: t("quizBuilder.copy.quiz", { lesson: page.lesson, page: pageTitle(page, t) }),
            })),
          ]}
        />
      )}
      {from !== "" && !questions && !error && <SkeletonBlock height="10rem" />}
      {questions?.length === 0 && <p>{t("quiz.empty")}</p>}
      {questions && questions.length > 0 && (
        <fieldset className={classes.questions}>
          <legend>{t("quizBuilder.copy.questions")}</legend>
          {questions.map((question, index) => (
            <label key={question.id}>
              <input
                type="checkbox"
                checked={chosen.has(question.id)}
                onChange={(event) => {
                  const next = new Set(chosen);
                  if (event.currentTarget.checked) next.add(question.id);
                  else next.delete(question.id);
                  setChosen(next);
                }}
              />
              <span>
                {isDraw(question)
                  ? drawWords(question, null, t)
                  : questionWords(question, 120) || t("quizBuilder.untitled", { number: index + 1 })}
                <span className={classes.kind}>{t(`quizBuilder.kinds.${question.type}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
