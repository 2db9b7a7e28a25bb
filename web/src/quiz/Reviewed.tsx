import { use, useMemo } from "react";
import { BlanksContext } from "../content/blanks";
import { Document } from "../content/Document";
import { useTranslation } from "../i18n/useTranslation";
import { IconCheck, IconClose } from "../ui/icons";
import { AnswerFiles } from "./AnswerFiles";
import { AnswerOwnerContext } from "./answerOwner";
import type { AnswerFile } from "./files";
import { HandedIn } from "./HandedIn";
import { HotspotReview } from "./hotspot/HotspotReview";
import type { Answer, Part, Question, QuestionOf, Result } from "./model";
import { PinnedAnswer } from "./pins/PinnedAnswer";
import type { Pin } from "./pins/pins";
import classes from "./Reviewed.module.css";
import { shortText } from "./shortText";
import { withUnit } from "./withUnit";

interface ReviewedProps<Q extends Question = Question> {
  question: Q;
  answer: Answer;
  /** The right answer, where `reveal` allows it and the given answer does not show it already. */
  right: Answer | null;
  /** Of the chosen options, where `reveal` allows it. */
  feedback?: Result["optionFeedback"];
  /** The right zones of a picture, and whether each marked place is right, where `reveal` allows them. */
  zones?: Result["zones"];
  rightPlaces?: readonly boolean[];
  /** The comments of graders on places of the answer. */
  pins?: readonly Pin[];
}

/** A given answer, with the right one where it is shown. */
export function Reviewed({ question, zones = [], rightPlaces = [], ...rest }: ReviewedProps) {
  switch (question.__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion":
      return <Options question={question} {...rest} />;
    case "ShortTextQuestion":
      return <Written given={rest.answer.text} right={rest.right?.text} />;
    case "NumericQuestion":
      return <WrittenNumber {...rest} />;
    case "MatchingQuestion":
      return <Pairs question={question} {...rest} />;
    case "OrderingQuestion":
      return <Order question={question} {...rest} />;
    case "FillBlankQuestion":
      return <Blanks question={question} {...rest} />;
    case "HotspotQuestion":
      return (
        <HotspotReview
          question={question}
          places={rest.answer.places ?? []}
          zones={zones}
          rightPlaces={rightPlaces}
        />
      );
    case "EssayQuestion":
    case "FileUploadQuestion":
      return (
        <OpenAnswer content={rest.answer.content} files={rest.answer.files ?? []} pins={rest.pins ?? []} />
      );
    case "HandInQuestion":
      return <HandedIn answer={rest.answer} pins={rest.pins ?? []} />;
  }
}

type ChoiceQuestion = QuestionOf<"SingleChoiceQuestion"> | QuestionOf<"MultipleChoiceQuestion">;

function Options({ question, answer, right, feedback = [] }: ReviewedProps<ChoiceQuestion>) {
  const { t } = useTranslation();
  const owner = use(AnswerOwnerContext);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.options}>
      {question.options.map(({ id, content }) => {
        const isChosen = answer.optionIds?.includes(id) ?? false;
        const isRight = right?.optionIds?.includes(id) ?? false;
        const said = feedback.find(({ optionId }) => optionId === id);
        return (
          <li key={id} data-chosen={isChosen || undefined} data-right={isRight || undefined}>
            <Document content={content} />
            {(isChosen || isRight) && (
              <span className={classes.tags}>
                {isChosen && <span className={classes.yours}>{t(`quiz.review.given.${owner}`)}</span>}
                {isRight && <RightTag />}
              </span>
            )}
            {said && (
              <div className={classes.feedback}>
                <h4>{t("quiz.review.feedback")}</h4>
                <Document content={said.feedback} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function RightTag() {
  const { t } = useTranslation();
  return (
    <span className={classes.rightTag}>
      <IconCheck size={15} />
      {t("quiz.review.right")}
    </span>
  );
}

/** A number: the answer as it was typed, the right one, which the server writes with a point, as people write it. */
function WrittenNumber({ answer, right }: Pick<ReviewedProps, "answer" | "right">) {
  const { i18n } = useTranslation();
  const point = i18n.language === "en" ? "." : ",";
  const known = right?.number?.replace(".", point).replace("-", "−");
  return (
    <Written
      given={answer.number?.trim() && withUnit(answer.number.trim(), answer.unit)}
      right={known && withUnit(known, right?.unit)}
    />
  );
}

function Written({ given, right }: { given: string | undefined; right: string | undefined }) {
  const { t } = useTranslation();
  const owner = use(AnswerOwnerContext);
  return (
    <dl className={classes.written}>
      <dt>{t(`quiz.review.given.${owner}`)}</dt>
      <dd>{given?.trim() || <span className={classes.none}>{t("quiz.review.none")}</span>}</dd>
      {right !== undefined && (
        <>
          <dt>{t("quiz.review.right")}</dt>
          <dd className={classes.right}>{right}</dd>
        </>
      )}
    </dl>
  );
}

interface OpenAnswerProps {
  /** The text; null or undefined without one. */
  content: unknown;
  files: readonly AnswerFile[];
  pins: readonly Pin[];
}

/** An answer that a person grades: a text or files. */
function OpenAnswer({ content, files, pins }: OpenAnswerProps) {
  const { t } = useTranslation();
  const owner = use(AnswerOwnerContext);
  const label = t(`quiz.review.given.${owner}`);
  const isEmpty = content == null && files.length === 0;
  return (
    <div className={classes.box}>
      <h4>{label}</h4>
      {isEmpty && <p className={classes.none}>{t("quiz.review.none")}</p>}
      {pins.length > 0 ? (
        <PinnedAnswer content={content} files={files} pins={pins} label={label} />
      ) : (
        <>
          {content != null && <Document content={content} />}
          {files.length > 0 && <AnswerFiles files={files} label={label} />}
        </>
      )}
    </div>
  );
}

function Pairs({ question, answer, right }: ReviewedProps<QuestionOf<"MatchingQuestion">>) {
  const { t } = useTranslation();
  const parts = partsById(question.right);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.pairs}>
      {question.left.map(({ id, content }) => {
        const given = parts.get(answer.pairs?.[id] ?? "");
        const wanted = parts.get(right?.pairs?.[id] ?? "");
        const isWrong = wanted !== undefined && wanted.id !== given?.id;
        return (
          <li key={id}>
            <Document content={content} />
            <div className={classes.sides}>
              <div className={classes.given} data-wrong={isWrong || undefined}>
                {isWrong && <IconClose size={16} className={classes.cross} />}
                {given ? (
                  <Document content={given.content} />
                ) : (
                  <span className={classes.none}>{t("quiz.review.none")}</span>
                )}
              </div>
              {isWrong && (
                <div className={classes.wanted}>
                  <RightTag />
                  <Document content={wanted.content} />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Order({ question, answer, right }: ReviewedProps<QuestionOf<"OrderingQuestion">>) {
  const { t } = useTranslation();
  const owner = use(AnswerOwnerContext);
  const parts = partsById(question.items);
  const list = (ids: readonly string[] | undefined) => (
    <ol className={classes.order}>
      {(ids ?? []).map((id) => {
        const part = parts.get(id);
        return part && <li key={id}>{<Document content={part.content} />}</li>;
      })}
    </ol>
  );
  return (
    <div className={classes.orders}>
      <div>
        <h4>{t(`quiz.review.given.${owner}`)}</h4>
        {answer.order ? list(answer.order) : <p className={classes.none}>{t("quiz.review.none")}</p>}
      </div>
      {right?.order && (
        <div>
          <h4 className={classes.right}>{t("quiz.review.right")}</h4>
          {list(right.order)}
        </div>
      )}
    </div>
  );
}

function Blanks({ question, answer, right }: ReviewedProps<QuestionOf<"FillBlankQuestion">>) {
  const { t } = useTranslation();
  const draw = useMemo(() => {
    const says = (from: Answer, id: string) => {
      const filling = from.blanks?.[id];
      const options = question.blanks.find((blank) => blank.id === id)?.options;
      if (!filling) return "";
      if ("text" in filling) return filling.text.trim();
      return shortText(options?.find((option) => option.id === filling.optionId)?.content, 120);
    };
    return (id: string) => {
      const given = says(answer, id);
      const wanted = right ? says(right, id) : "";
      const isOther = wanted !== "" && wanted !== given;
      return (
        <span className={classes.gap}>
          <span data-wrong={isOther || undefined}>{given || t("quiz.review.none")}</span>
          {isOther && (
            <span className={classes.gapRight}>
              {t("quiz.review.rightIs")} {wanted}
            </span>
          )}
        </span>
      );
    };
  }, [question, answer, right, t]);
  return (
    <div className={classes.text}>
      <BlanksContext value={draw}>
        <Document content={question.text} atOnce />
      </BlanksContext>
    </div>
  );
}

function partsById(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.id, part]));
}
