import { type ReactNode, type SubmitEvent, useRef, useState } from "react";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import type { Unsent } from "../quiz/fields/FileUpload";
import { HandIn } from "../quiz/fields/HandIn";
import { wrongLinks } from "../quiz/links";
import type { Answer } from "../quiz/model";
import { lengthProblem } from "../quiz/words";
import { Button } from "../ui/Button";
import { offerUndo } from "../ui/undo";
import { useOnline } from "../ui/useOnline";
import { DraftConflict } from "./DraftConflict";
import type { DraftSession } from "./DraftSession";
import { DraftStatus } from "./DraftStatus";
import { type DraftText, dividedBy, EMPTY, isEmpty } from "./draftText";
import classes from "./HandInForm.module.css";
import type { AssignmentPage, HandInQuestion, Version } from "./model";
import { Untaken } from "./Untaken";
import { useDraft } from "./useDraftSession";
import { type Difference, type Submission, useHandingIn } from "./useHandingIn";

interface Props {
  page: AssignmentPage;
  question: HandInQuestion;
}

interface HandInFormProps extends Props {
  session: DraftSession;
  submission: Submission;
  /** Called after the draft of a further version was discarded; undefined before the first version. */
  onDiscard: (() => void) | undefined;
}

/** The form in which a learner prepares the work and hands it in. */
export function HandInForm({ session, onDiscard, ...props }: HandInFormProps) {
  const { t } = useTranslation();
  const draft = useDraft(session);
  const discard = () => {
    const { text } = session;
    onDiscard?.();
    offerUndo(t("assignment.discarded"), () => session.replace(text));
  };
  return (
    <Form
      {...props}
      text={draft.text}
      revision={draft.revision}
      onChange={session.change}
      onLeave={session.save}
      conflict={draft.problem?.kind === "conflict" ? <DraftConflict session={session} draft={draft} /> : null}
      status={<DraftStatus draft={draft} />}
      onDiscard={onDiscard && discard}
    />
  );
}

/** The form as staff try it: nothing is stored. */
export function TryOutForm({ onTaken, ...props }: Props & { onTaken: (version: Version) => void }) {
  const [text, setText] = useState<DraftText>(EMPTY);
  const submission = useHandingIn({ ...props, session: null, onTaken });
  return (
    <Form
      {...props}
      isTryOut
      text={text}
      onChange={(part) => setText((now) => ({ ...now, ...part }))}
      submission={submission}
    />
  );
}

interface FormProps extends Props {
  text: DraftText;
  /** Rises when the document is replaced from outside; its field then starts over. */
  revision?: number;
  onChange: (part: Partial<DraftText>) => void;
  /** Called when the focus leaves a field. */
  onLeave?: () => void;
  submission: Submission;
  isTryOut?: boolean;
  /** Two drafts between which the learner has to choose. */
  conflict?: ReactNode;
  status?: ReactNode;
  onDiscard?: (() => void) | undefined;
}

/** Why the work cannot be handed in as it is. */
type Hold = "nothing" | "running" | "unsent" | "length" | "links" | Difference;

function Form(props: FormProps) {
  const { page, question, text, onChange, onLeave, submission, conflict, status, onDiscard } = props;
  const { revision = 0, isTryOut = false } = props;
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [hold, setHold] = useState<Hold | null>(null);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const isLocked = submission.isSending || submission.isWaiting;
  const isLast = !isTryOut && page.attemptsLeft === 1;
  const { taken, rest } = dividedBy(question, text);
  const number = (page.attempts.at(-1)?.attemptNo ?? 0) + 1;

  const problem = (): Hold | null => {
    if (conflict) return "conflict";
    if (unsent) return unsent === "running" ? "running" : "unsent";
    if (question.takesText && lengthProblem(text.content, question)) return "length";
    if (wrongLinks(taken.links).length > 0) return "links";
    return isEmpty(taken) ? "nothing" : null;
  };
  /** What the learner should know before the work is handed in. */
  const doubts = (): string[] => {
    const { minWords, takesText } = question;
    const lacksText = takesText && (minWords ?? 0) > 0 && !isFilledDocument(text.content);
    return [
      lacksText ? t("assignment.asks.noText", { count: minWords ?? 0 }) : [],
      isLast ? t("assignment.asks.last") : [],
    ].flat();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = problem();
    setHold(found);
    if (found) {
      setAsked([]);
      focusProblem(form.current, found);
      return;
    }
    const questions = doubts();
    if (questions.length > 0 && asked.length === 0) return setAsked(questions);
    setAsked([]);
    void submission.submit(text).then(setHold);
  };
  const change = ({ content, files, links }: Answer) => {
    setAsked([]);
    setHold(null);
    onChange({ content: content ?? null, files: files ?? [], links: links ?? [] });
  };
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      onBlur={onLeave}
      aria-labelledby="hand-in"
      data-arrows
      noValidate
    >
      <div className={classes.head}>
        <h2 id="hand-in" tabIndex={-1} data-form>
          {number > 1 && !isTryOut ? t("assignment.newVersion", { number }) : t("assignment.yourWork")}
        </h2>
        {status}
      </div>
      {conflict}
      {submission.isChanged && (
        <p role="status" className={classes.changed}>
          {t("assignment.changed")}
        </p>
      )}
      <HandIn
        question={question}
        pageId={page.id}
        revision={revision}
        answer={{ content: text.content ?? undefined, files: [...text.files], links: [...text.links] }}
        onAnswer={change}
        onUnsent={setUnsent}
        disabled={isLocked}
      />
      {rest && <Untaken rest={rest} disabled={isLocked} onChange={onChange} />}
      <footer className={classes.footer}>
        <div role="alert">
          {hold && (hold !== "conflict" || conflict) && (
            <p className={classes.refusal}>{t(`assignment.hold.${hold}`)}</p>
          )}
          {asked.length > 0 && (
            <div className={classes.asking}>
              {asked.map((question) => (
                <p key={question}>{question}</p>
              ))}
            </div>
          )}
          {submission.refusal && <p className={classes.refusal}>{submission.refusal}</p>}
        </div>
        {submission.isWaiting ? (
          <Waiting onResend={submission.resend} />
        ) : (
          <div className={classes.actions}>
            <Button type="submit" size="md" loading={submission.isSending}>
              {t(
                asked.length > 0 ? "assignment.submitNow" : isTryOut ? "assignment.try" : "assignment.submit",
              )}
            </Button>
            {onDiscard && (
              <Button variant="subtle" disabled={isLocked} onClick={onDiscard}>
                {t("assignment.discard")}
              </Button>
            )}
            <p className={classes.hint}>{t("assignment.byTeacher")}</p>
          </div>
        )}
      </footer>
    </form>
  );
}

function Waiting({ onResend }: { onResend: () => void }) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  return (
    <div role="status" className={classes.waiting}>
      <p>{t(isOnline ? "assignment.waiting.noAnswer" : "assignment.waiting.offline")}</p>
      <Button variant="default" onClick={onResend}>
        {t("quiz.waiting.resend")}
      </Button>
    </div>
  );
}

/** Focuses the field with the problem, else the first one. */
function focusProblem(form: HTMLFormElement | null, hold: Hold) {
  const place = hold === "conflict" ? "[data-conflict]" : "[data-unreadable]";
  const found = form?.querySelector<HTMLElement>(place) ?? form?.querySelector<HTMLElement>("section");
  const field = found?.matches("input")
    ? found
    : found?.querySelector<HTMLElement>("[role=textbox], input:not([hidden]), button");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
