import { type ReactNode, useMemo } from "react";
import { BlanksContext } from "../content/blanks";
import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { hintName } from "../quiz/hintName";
import { PictureFrame } from "../quiz/hotspot/PictureFrame";
import { pictureOf } from "../quiz/hotspot/picture";
import { Overlay, ZoneShape } from "../quiz/hotspot/ZoneShapes";
import { ZoneTexts } from "../quiz/hotspot/ZoneTexts";
import { RubricView } from "../quiz/RubricView";
import {
  type AuthorQuestion,
  type Blank,
  type BlanksQuestion,
  blanksIn,
  type Choice,
  type FormulaQuestion,
  type HotspotQuestion,
  type NumericQuestion,
  takesRubric,
  type Unit,
} from "../quiz-builder/model";
import { numberText } from "../quiz-builder/numbers";
import { bestOf } from "../quiz-builder/rubric";
import { IconCheck } from "../ui/icons";
import classes from "./QuestionView.module.css";

/** Stands for what the author has not filled in. */
const UNKNOWN = "?";

/** A question with its right answers, for reading. */
export function QuestionView({ question }: { question: AuthorQuestion }) {
  const { t } = useTranslation();
  return (
    <div className={classes.question}>
      {isFilledDocument(question.prompt) ? (
        <Document content={question.prompt} />
      ) : (
        question.type !== "fill_blank" && <p className={classes.dim}>{t("banks.bank.untitled")}</p>
      )}
      <Answer question={question} />
      {takesRubric(question) && isFilledDocument(question.guide) && (
        <Part label={t("banks.question.guide")}>
          <Document content={question.guide} />
        </Part>
      )}
      {isFilledDocument(question.explanation) && (
        <Part label={t("banks.question.explanation")}>
          <Document content={question.explanation} />
        </Part>
      )}
      {question.hints?.filter(isFilledDocument).map((hint, index, { length }) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hints have no ids
        <Part key={index} label={hintName(t, index, length)}>
          <Document content={hint} />
        </Part>
      ))}
      <p className={classes.dim}>
        {t(`quizBuilder.kinds.${question.type}`)}
        {"\u00a0· "}
        {t("quiz.points", { count: question.points })}
      </p>
    </div>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <p className={classes.label}>{label}</p>
      {children}
    </div>
  );
}

function Answer({ question }: { question: AuthorQuestion }) {
  const { t } = useTranslation();
  switch (question.type) {
    case "single_choice":
    case "multiple_choice":
      return (
        <>
          <Options options={question.options} />
          {question.all_or_nothing && <p className={classes.dim}>{t("quiz.hint.whole")}</p>}
        </>
      );
    case "short_text":
      return (
        <Part label={t("banks.question.accepted")}>
          <p>
            {question.accepted.filter((text) => text.trim() !== "").join(", ") || t("banks.question.empty")}
          </p>
          {question.regex && (
            <p className={classes.dim}>
              {t("banks.question.pattern")} <code>{question.regex}</code>
            </p>
          )}
        </Part>
      );
    case "formula":
      return (
        <>
          {question.parameters.length > 0 && (
            <Part label={t("quizBuilder.formula.legend")}>
              {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
              <ul role="list" className={classes.parameters}>
                {question.parameters.map(({ name, min, max, decimals }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parameters have no ids
                  <li key={index}>
                    {t("banks.question.parameter", {
                      name: name || UNKNOWN,
                      min: min === null ? UNKNOWN : numberText(min),
                      max: max === null ? UNKNOWN : numberText(max),
                      decimals,
                    })}
                  </li>
                ))}
              </ul>
            </Part>
          )}
          <Part label={t("quizBuilder.formula.expression")}>
            <NumberAnswer value={question.expression} question={question} />
          </Part>
          <Units units={question.units ?? []} />
        </>
      );
    case "numeric":
      return (
        <>
          <Part label={t("banks.question.value")}>
            <NumberAnswer
              value={question.value === null ? "" : numberText(question.value)}
              question={question}
            />
          </Part>
          <Units units={question.units ?? []} />
        </>
      );
    case "matching":
      return (
        <Part label={t("banks.question.pairs")}>
          {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
          <ul role="list" className={classes.pairs}>
            {question.pairs.map(({ id, left, right }) => (
              <li key={id}>
                <Shown content={left} />
                <Shown content={right} />
              </li>
            ))}
          </ul>
        </Part>
      );
    case "ordering":
      return (
        <Part label={t("banks.question.order")}>
          <ol className={classes.order}>
            {question.items.map(({ id, content }) => (
              <li key={id}>
                <Shown content={content} />
              </li>
            ))}
          </ol>
        </Part>
      );
    case "fill_blank":
      return <Blanks question={question} />;
    case "hotspot":
      return <HotspotView question={question} />;
    case "essay":
    case "file_upload":
    case "hand_in":
      return (
        question.rubric && (
          <RubricView
            rubric={{
              criteria: question.rubric.criteria.map((criterion) => ({
                ...criterion,
                maxPoints: bestOf(criterion),
              })),
            }}
          />
        )
      );
    default:
      return null;
  }
}

/** A number, or an expression for it, with its tolerance. */
function NumberAnswer({ value, question }: { value: string; question: NumericQuestion | FormulaQuestion }) {
  const { t } = useTranslation();
  const known = value.trim() === "" ? t("banks.question.empty") : value;
  const tolerance = question.tolerance_percent ?? question.tolerance;
  if (!tolerance) return <p>{known}</p>;
  const within = question.tolerance_percent === null ? "within" : "withinPercent";
  return <p>{t(`banks.question.${within}`, { value: known, tolerance: numberText(tolerance) })}</p>;
}

/** The units of a number, each in the first one. */
function Units({ units }: { units: readonly Unit[] }) {
  const { t } = useTranslation();
  const [first] = units;
  if (!first) return null;
  return (
    <Part label={t("quizBuilder.units.legend")}>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
      <ul role="list" className={classes.parameters}>
        {units.map(({ name, factor }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: units have no ids
          <li key={index}>
            {index === 0
              ? name || UNKNOWN
              : `1 ${name || UNKNOWN} = ${numberText(factor)} ${first.name || UNKNOWN}`}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** A part of an answer; an empty one says so. */
function Shown({ content }: { content: unknown }) {
  const { t } = useTranslation();
  if (isFilledDocument(content)) return <Document content={content} />;
  return <p className={classes.dim}>{t("banks.question.empty")}</p>;
}

function Options({ options }: { options: readonly Choice[] }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.options}>
      {options.map(({ id, content, correct, feedback, weight }) => (
        <li key={id} data-right={correct || undefined}>
          <Shown content={content} />
          {typeof weight === "number" && (
            <span className={classes.dim}>{t("banks.question.weight", { percent: numberText(weight) })}</span>
          )}
          {correct && (
            <span className={classes.right}>
              <IconCheck size={15} />
              {t("banks.question.right")}
            </span>
          )}
          {isFilledDocument(feedback) && (
            <div className={classes.feedback}>
              <Part label={t("banks.question.feedback")}>
                <Document content={feedback} />
              </Part>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function HotspotView({
  question: { picture, zones, mark_all, all_or_nothing },
}: {
  question: HotspotQuestion;
}) {
  const { t } = useTranslation();
  const shown = pictureOf(picture);
  return (
    <>
      {shown ? (
        <PictureFrame picture={shown}>
          <Overlay>
            {zones.map((zone) => (
              <ZoneShape key={zone.id} figure={zone} />
            ))}
          </Overlay>
        </PictureFrame>
      ) : (
        <p className={classes.dim}>{t("quizBuilder.lacks.picture")}</p>
      )}
      {zones.length > 0 && (
        <Part label={t("quizBuilder.hotspot.zones")}>
          <ZoneTexts zones={zones} />
        </Part>
      )}
      {mark_all && (
        <p className={classes.dim}>
          {t("quizBuilder.hotspot.markAll")}
          {all_or_nothing && `. ${t("quizBuilder.hotspot.whole")}`}
        </p>
      )}
    </>
  );
}

function Blanks({ question: { text, blanks } }: { question: BlanksQuestion }) {
  const { t } = useTranslation();
  const order = useMemo(() => blanksIn(text), [text]);
  const nameOf = (id: string) => t("banks.question.blank", { number: order.indexOf(id) + 1 });
  return (
    <>
      <BlanksContext value={(id) => <span className={classes.blank}>{nameOf(id)}</span>}>
        <Shown content={text} />
      </BlanksContext>
      {blanks.length > 0 && (
        <Part label={t("banks.question.blanks")}>
          <dl className={classes.blanks}>
            {blanks.map((blank) => (
              <div key={blank.id}>
                <dt>{nameOf(blank.id)}</dt>
                <dd>{isChosen(blank) ? <Options options={blank.options} /> : blank.accepted.join(", ")}</dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
    </>
  );
}

const isChosen = (blank: Blank): blank is Extract<Blank, { options: Choice[] }> => "options" in blank;
