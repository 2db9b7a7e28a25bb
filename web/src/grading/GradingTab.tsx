import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import { pageKindsOf } from "../outline/pageKinds";
import { GroupFilter } from "../students/GroupFilter";
import { knownGroup, useGroups } from "../students/useGroups";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck } from "../ui/icons";
import { IconList } from "../ui/laterIcons";
import { Select } from "../ui/Select";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { AnswerPanel } from "./AnswerPanel";
import { ClaimNextAnswerDocument } from "./Grading.generated";
import classes from "./GradingTab.module.css";
import { isTextField } from "./keys";
import { QueueList } from "./QueueList";
import {
  answerKey,
  type Filters,
  knownPart,
  type OpenAnswer,
  pagesOf,
  parseAnswerKey,
  partKey,
  type QueuedQuestion,
} from "./queue";
import { ReleaseBar } from "./ReleaseBar";
import { useQueue } from "./useQueue";

const STATES = { waiting: "WAITING", graded: "GRADED", released: "RELEASED" } as const;
type StateName = keyof typeof STATES;
const isState = (view: string | undefined): view is StateName => view !== undefined && view in STATES;

interface Props {
  course: Course;
  /** The search parameters: the part, the group, the state (as the view), and the open answer. */
  look: Look;
}

/** The tab where people grade the answers to open questions, one after another. */
export default function GradingTab({ course, look }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const root = useRef<HTMLDivElement>(null);
  /** The container of the assessment form, above the queue, so that it stays visible while a long answer is read. */
  const [side, setSide] = useState<HTMLDivElement | null>(null);
  const [claimNext, { loading: isClaiming }] = useMutation(ClaimNextAnswerDocument, {
    fetchPolicy: "no-cache",
  });
  /** The answer that the server has just assigned. */
  const [given, setGiven] = useState<OpenAnswer | null>(null);
  /** Whether the server had no further answer to grade. */
  const [isDone, setDone] = useState(false);
  const { groups } = useGroups(
    course.id,
    useCallback(() => undefined, []),
  );
  const view = isState(look.view) ? look.view : "waiting";
  const [questions, setQuestions] = useState<readonly QueuedQuestion[]>();
  const filters: Filters = {
    ...knownPart(look.part, questions),
    groupId: knownGroup(look.group, groups) ?? null,
    state: STATES[view],
  };
  const grading = useQueue(course.id, filters);
  const { queue, error } = grading;
  // The filter lists the questions, which arrive with the queue.
  if (queue && queue.questions !== questions) setQuestions(queue.questions);
  const kinds = useMemo(() => pageKindsOf(course), [course]);
  const opened = parseAnswerKey(look.answer);
  if (opened && isDone) setDone(false);

  const show = (changed: Pick<Look, "part" | "group" | "view" | "answer">) => {
    const { part, group, view, answer } = { ...look, ...changed };
    return navigate({
      to: "/edit-course/$courseId",
      params: { courseId: course.id },
      search: {
        tab: "grading",
        ...(part && { part }),
        ...(group && { group }),
        ...(view && view !== "waiting" && { view }),
        ...(answer && { answer }),
      },
      resetScroll: false,
    });
  };
  const open = async (answer: OpenAnswer | null) => {
    setGiven(answer);
    await show({ answer: answer ? answerKey(answer) : undefined });
    setDone(answer === null);
  };
  const begin = async () => {
    const { pageId, questionId, groupId } = filters;
    try {
      const { data } = await claimNext({
        variables: { input: { courseId: course.id, pageId, questionId, groupId } },
      });
      if (data) await open(data.claimNextAnswer.answer);
    } catch (failure) {
      toastFailure(failure);
    }
  };
  /** Opens the answer before or after the open one in the list. */
  const move = (by: 1 | -1) => {
    const answers = queue?.answers ?? [];
    const at = answers.findIndex((one) => answerKey(one) === look.answer);
    const next = answers[at < 0 ? (by === 1 ? 0 : answers.length - 1) : at + by];
    if (next) void show({ answer: answerKey(next) });
    return next !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    if (isTextField(event.target) || root.current?.querySelector("dialog[open]")) return;
    const points = root.current?.querySelector<HTMLInputElement>("[data-points]");
    if (/^\d$/.test(event.key) && (event.target !== points || points.readOnly)) {
      // A digit is a level of the open criterion; without a rubric, it is typed into the points.
      const level = root.current?.querySelector<HTMLElement>(`[data-current] [data-level="${event.key}"]`);
      if (level) {
        event.preventDefault();
        level.click();
        return;
      }
      if (!points || root.current?.querySelector("[data-criterion]")) return;
      // Focusing the field on keydown makes it receive the digit.
      points.focus();
      points.select();
      return;
    }
    // Match the physical keys, because the keyboard layout may be Russian.
    const clicked = { KeyF: "[data-file]", KeyC: "[data-comment]", KeyR: "[data-return]" }[event.code];
    if (clicked) {
      const element = root.current?.querySelector<HTMLElement>(clicked);
      if (!element) return;
      event.preventDefault();
      element.click();
      return;
    }
    const by = { KeyJ: 1, KeyK: -1 }[event.code] as 1 | -1 | undefined;
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  };

  if (!queue)
    return error ? (
      <LoadFailure error={error} retry={grading.reload} heading="h2" />
    ) : (
      <div className={classes.tab}>
        <TextSkeleton lines={10} />
      </div>
    );
  if (queue.questions.length === 0 && !opened)
    return (
      <EmptyState
        title={t("grading.none")}
        heading="h2"
        icon={<IconList size={28} />}
        action={
          <ButtonLink to="/edit-course/$courseId" params={{ courseId: course.id }} search={{}}>
            {t("grading.toContents")}
          </ButtonLink>
        }
      >
        {t("grading.noneText")}
      </EmptyState>
    );
  const isAssignment = ({ pageId }: { pageId: string }) => kinds.get(pageId) === "ASSIGNMENT";
  const nameOf = (answer: Pick<OpenAnswer, "attemptId" | "questionId" | "student">) =>
    answer.student
      ? answer.student.fullName || t("grading.noName")
      : t("grading.answerNumber", { number: grading.numberOf(answerKey(answer)) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are shortcuts; every answer is also a link
    <div ref={root} className={classes.tab} onKeyDown={onKeyDown}>
      <div className={classes.tools}>
        <Select
          className={classes.part}
          aria-label={t("grading.part")}
          value={filters.pageId === null ? "" : partKey(filters.pageId, filters.questionId)}
          onChange={(event) => void show({ part: event.currentTarget.value || undefined })}
          options={partOptions(queue.questions)}
        />
        {groups && groups.length > 0 && (
          <GroupFilter
            groups={groups}
            value={filters.groupId ?? undefined}
            onChange={(group) => void show({ group })}
          />
        )}
        <Select
          className={classes.state}
          aria-label={t("grading.state")}
          value={view}
          onChange={(event) => void show({ view: event.currentTarget.value })}
          options={(Object.keys(STATES) as StateName[]).map((value) => ({
            value,
            label: t(`grading.states.${value}`),
          }))}
        />
      </div>
      {queue.isBlind && <p className={classes.hint}>{t("grading.blind")}</p>}
      <ReleaseBar questions={queue.questions} pageId={filters.pageId} onReleased={grading.reload} />
      {error !== undefined && <LoadFailure error={error} retry={grading.reload} heading="h2" />}
      <div className={classes.columns} data-open={opened ? "" : undefined}>
        <div className={classes.answer}>
          {opened ? (
            <AnswerPanel
              key={look.answer}
              attemptId={opened.attemptId}
              questionId={opened.questionId}
              given={given && answerKey(given) === look.answer ? given : null}
              next={
                view === "waiting"
                  ? {
                      courseId: course.id,
                      pageId: filters.pageId,
                      questionId: filters.questionId,
                      groupId: filters.groupId,
                    }
                  : null
              }
              nameOf={nameOf}
              isAssignment={isAssignment}
              grading={grading}
              side={side}
              onNext={(answer) => void open(answer)}
              onMove={move}
              onClose={() => void show({ answer: undefined })}
            />
          ) : (
            <Idle
              isDone={isDone}
              waiting={queue.total}
              elsewhere={queue.waiting - queue.total}
              isClaiming={isClaiming}
              onBegin={view === "waiting" ? () => void begin() : null}
            />
          )}
        </div>
        <div className={classes.side}>
          <div ref={setSide} />
          <QueueList
            className={classes.list}
            course={course}
            look={look}
            queue={queue}
            now={grading.at}
            isWaiting={grading.isWaiting}
            isGrowing={grading.isGrowing}
            hasQuestion={filters.questionId !== null}
            nameOf={nameOf}
            isAssignment={isAssignment}
            onMore={grading.more}
          />
        </div>
      </div>
    </div>
  );

  function partOptions(questions: readonly QueuedQuestion[]) {
    const all = questions.reduce((sum, { waiting }) => sum + waiting, 0);
    return [
      { value: "", label: t("grading.allParts", { count: all }) },
      ...pagesOf(questions).flatMap((ofPage) => {
        const [first] = ofPage;
        if (!first) return [];
        const page = first.pageTitle ?? t("grading.untitled");
        const whole = {
          value: partKey(first.pageId, null),
          label: t("grading.pageOption", {
            page,
            count: ofPage.reduce((sum, { waiting }) => sum + waiting, 0),
          }),
        };
        if (ofPage.length === 1) return [whole];
        return [
          whole,
          ...ofPage.map(({ pageId, questionId, number, prompt, waiting }) => ({
            value: partKey(pageId, questionId),
            label: t("grading.questionOption", { number, prompt, count: waiting }),
          })),
        ];
      }),
    ];
  }
}

interface IdleProps {
  isDone: boolean;
  /** Answers that wait and match the filters. */
  waiting: number;
  /** Other answers of the course that wait. */
  elsewhere: number;
  isClaiming: boolean;
  /** Null where graded answers are shown. */
  onBegin: (() => void) | null;
}

/** The content of the panel while no answer is open. */
function Idle({ isDone, waiting, elsewhere, isClaiming, onBegin }: IdleProps) {
  const { t } = useTranslation();
  const focus = useCallback(
    (element: HTMLDivElement | null) => {
      // The focused answer was removed.
      if (isDone) element?.focus();
    },
    [isDone],
  );
  if (!onBegin) return <p className={classes.hint}>{t("grading.choose")}</p>;
  const isOver = isDone || waiting === 0;
  const doneText = () => {
    if (waiting > 0) return t("grading.doneButOpen");
    return elsewhere > 0 ? t("grading.doneHere", { count: elsewhere }) : t("grading.doneText");
  };
  return (
    <div ref={focus} tabIndex={-1} className={classes.idle}>
      <EmptyState
        title={isOver ? t("grading.done") : t("grading.waiting", { count: waiting })}
        heading="h2"
        icon={isOver ? <IconCheck size={28} /> : <IconList size={28} />}
        action={
          waiting > 0 && (
            <Button loading={isClaiming} onClick={onBegin}>
              {t("grading.begin")}
            </Button>
          )
        }
      >
        {isOver ? doneText() : <span className={classes.keys}>{t("grading.keys")}</span>}
      </EmptyState>
    </div>
  );
}
