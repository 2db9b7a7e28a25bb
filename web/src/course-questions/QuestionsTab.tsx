import { Link, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { mayModerate } from "../discussions/roles";
import { LoadFailure } from "../errors/LoadFailure";
import { QueryState } from "../errors/QueryState";
import { isTextField } from "../grading/keys";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import { Button } from "../ui/Button";
import { ListSkeleton, TextSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { NoQuestions } from "./NoQuestions";
import { QuestionList } from "./QuestionList";
import { wordsOf } from "./QuestionRow";
import classes from "./QuestionsTab.module.css";
import { FILTERS, FIRST, type FilterName, filterOf, filtersOf, neighbour } from "./questions";
import type { QuestionCounts } from "./useQuestionCounts";
import { useQuestions } from "./useQuestions";

/** Loaded when the first question is opened. */
const DiscussionThread = lazy(() =>
  withTexts(import("../discussions/DiscussionThread"), "discussions", "editor", "forms", "quiz").then(
    ({ DiscussionThread }) => ({ default: DiscussionThread }),
  ),
);

interface Props {
  course: Course;
  /** The search parameters: the filter (as the view) and the open question. */
  look: Look;
  counts: QuestionCounts | undefined;
}

/** The tab with the questions of all pages of a course, and the open one with its answers beside them. */
export default function QuestionsTab({ course, look, counts }: Props) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const isOnline = useOnline();
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const filter = filterOf(look.view, course.myRole);
  const questions = useQuestions(course.id, FILTERS[filter]);
  const { rows, error } = questions;
  const open = look.question;

  const searchOf = (view: FilterName, question?: string) => ({
    tab: "questions" as const,
    ...(view !== FIRST && { view }),
    ...(question && { question }),
  });
  const show = (question: string | undefined) =>
    navigate({
      to: "/edit-course/$courseId",
      params: { courseId: course.id },
      search: searchOf(filter, question),
      resetScroll: false,
    });

  const at = rows?.findIndex(({ id }) => id === open) ?? -1;
  /** Where the open question was in the list. */
  const place = useRef(0);
  useEffect(() => {
    if (at >= 0) place.current = at;
  }, [at]);
  /** The question was closed here, so its row gets the focus; a filter that takes it away keeps the focus. */
  const goesBack = useRef(false);
  const close = () => {
    goesBack.current = true;
    void show(undefined);
  };
  const before = useRef(open);
  useEffect(() => {
    if (before.current === open) return;
    const closed = before.current;
    before.current = open;
    const returns = goesBack.current;
    goesBack.current = false;
    // The question is read from its beginning; after closing, the keyboard goes on in the list.
    if (open) return panel.current?.focus({ preventScroll: isBeside(panel.current, root.current) });
    if (!returns) return;
    const links = root.current?.querySelectorAll<HTMLElement>("[data-question]") ?? [];
    const row = [...links].find((link) => link.dataset.question === closed) ?? links[0];
    row?.focus();
  }, [open]);

  const filters = useRef<HTMLElement>(null);
  // On a phone the last filters are out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the filter changes
  useEffect(() => {
    const nav = filters.current;
    const link = nav?.querySelector<HTMLElement>("[aria-current]");
    if (nav && link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 48;
  }, [filter, open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (isTextField(event.target) || root.current?.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && open) {
      event.preventDefault();
      return close();
    }
    // The physical keys, because the keyboard layout may be Russian.
    const by = { KeyJ: 1, KeyK: -1 }[event.code] as 1 | -1 | undefined;
    if (by === undefined) return;
    event.preventDefault();
    const next = neighbour(rows ?? [], open, by, place.current);
    if (next) void show(next.id);
  };
  // An answered question leaves the list, but keeps its name.
  const opened = rows?.[at];
  const words = opened && wordsOf(opened, t);
  const [named, setNamed] = useState<{ id: string; words: string }>();
  if (opened && words && (named?.id !== opened.id || named.words !== words))
    setNamed({ id: opened.id, words });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are shortcuts; every question is also a link
    <div ref={root} className={classes.tab} data-open={open ? "" : undefined} onKeyDown={onKeyDown}>
      <nav ref={filters} className={classes.filters} aria-label={t("courseQuestions.filter.label")}>
        {filtersOf(course.myRole).map((name) => (
          <Link
            key={name}
            to="/edit-course/$courseId"
            params={{ courseId: course.id }}
            search={searchOf(name)}
            activeOptions={{ exact: true }}
            resetScroll={false}
            aria-current={name === filter ? "true" : undefined}
          >
            {t(`courseQuestions.filter.${name}`)}
            {name === "reported" && counts && counts.reported > 0 && (
              <span className={classes.number}>{counts.reported.toLocaleString(i18n.language)}</span>
            )}
          </Link>
        ))}
      </nav>
      {!isOnline && (
        <p className={classes.note} role="status">
          {t("courseQuestions.offline")}
        </p>
      )}
      {counts?.isOn === false && (
        <p className={classes.note}>
          {t("courseQuestions.off")}
          {mayModerate(course.myRole) && (
            <Link to="/edit-course/$courseId" params={{ courseId: course.id }} search={{ tab: "settings" }}>
              {t("courseQuestions.toSettings")}
            </Link>
          )}
        </p>
      )}
      {error !== undefined && rows && <LoadFailure error={error} retry={questions.reload} heading="h2" />}
      {!rows ? (
        <QueryState
          error={error}
          retry={questions.reload}
          heading="h2"
          loading={<ListSkeleton rows={5} height="4.5rem" />}
        />
      ) : rows.length === 0 && !open ? (
        <NoQuestions courseId={course.id} filter={filter} hasNone={counts?.all === 0} />
      ) : (
        <div className={classes.columns}>
          <div className={classes.side}>
            <QuestionList
              courseId={course.id}
              rows={rows}
              total={questions.total}
              hasMore={questions.hasMore}
              isGrowing={questions.isGrowing}
              filter={filter}
              open={open}
              onMore={questions.more}
            />
          </div>
          {open ? (
            <section
              ref={panel}
              tabIndex={-1}
              className={classes.panel}
              aria-label={
                named?.id === open
                  ? t("courseQuestions.about", { words: named?.words })
                  : t("courseQuestions.opened")
              }
            >
              <Button variant="default" className={classes.back} onClick={close}>
                {t("courseQuestions.back")}
              </Button>
              <Suspense fallback={<TextSkeleton lines={8} />}>
                <DiscussionThread
                  key={open}
                  discussionId={open}
                  courseId={course.id}
                  showsPage
                  onGone={close}
                />
              </Suspense>
            </section>
          ) : (
            <div className={classes.idle}>
              <p>{t("courseQuestions.choose")}</p>
              <p className={classes.keys}>{t("courseQuestions.keys")}</p>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** Whether the panel stands beside the list, so that opening a question must not scroll the page. */
function isBeside(panel: HTMLElement | null, root: HTMLElement | null): boolean {
  return !!panel && !!root && panel.offsetLeft > root.offsetLeft;
}
