import { useApolloClient } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { DiscussionFilter } from "../api/schema.generated";
import { isGuest } from "../api/session";
import { PageQuestionsButton } from "../course-questions/PageQuestionsButton";
import { LoadFailure } from "../errors/LoadFailure";
import { AccountLink } from "../guests/AccountLink";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ListSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { useReadAgain } from "../unpublished/useReadAgain";
import { Ask } from "./Ask";
import type { Place, Rules } from "./discussion";
import { readDraft } from "./drafts";
import { findWanted, type Wanted } from "./findWanted";
import { OpenEditorButton } from "./OpenEditorButton";
import type { QuestionedPage } from "./page";
import { QuestionList, rowId } from "./QuestionList";
import classes from "./Questions.module.css";
import { isStaff, mayModerate } from "./roles";
import { usePageDiscussions } from "./usePageDiscussions";

interface Props {
  page: QuestionedPage;
  userId: string;
  rules: Rules;
  /** The discussion that the address names, or one of its posts. */
  wanted: string | undefined;
  onPlace: (block: number) => void;
}

const FILTERS = ["ALL", "OPEN", "RESOLVED", "MINE"] as const satisfies readonly DiscussionFilter[];
/** Rows of a part of the list. */
const ROWS = 20;
type Filter = (typeof FILTERS)[number];

/** The questions under a page, below its end. */
export function QuestionsSection({ page, userId, rules, wanted, onPlace }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const titleId = useId();
  const [filter, setFilter] = useState<Filter>("ALL");
  const [opened, setOpened] = useState<string | null>(null);
  const [answerId, setAnswerId] = useState<string | null>(null);
  const list = usePageDiscussions(page, { filter, opened, rows: ROWS });
  const isGone = useWanted(page, wanted, ({ id, answerId }) => {
    setFilter("ALL");
    setOpened(id);
    setAnswerId(answerId);
    if (!answerId) bringIntoView(rowId(titleId, id));
  });
  const { discussions, total } = list;
  const staff = isStaff(page.course.myRole);
  const moderates = mayModerate(page.course.myRole);
  // Who has switched them off under this page can switch them on again.
  if (!rules.isOn && filter === "ALL" && total === 0 && (rules.isOnPage || !moderates)) return null;
  return (
    <section aria-labelledby={titleId} className={classes.section}>
      <header className={classes.head}>
        <h2 className={classes.title}>
          <span id={titleId}>{t("discussions.title")}</span>
          {filter === "ALL" && total !== undefined && total > 0 && (
            <span className={classes.total}>
              <span aria-hidden="true">{total}</span>
              <span className={classes.spoken}>{t("discussions.total", { count: total })}</span>
            </span>
          )}
        </h2>
        {(filter !== "ALL" || (total ?? 0) > 3) && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like one
          <div role="group" aria-label={t("discussions.filter")} className={classes.filters}>
            {FILTERS.map((one) => (
              <button
                key={one}
                type="button"
                className={classes.filter}
                aria-pressed={one === filter}
                onClick={() => setFilter(one)}
              >
                {t(`discussions.filters.${one}`)}
              </button>
            ))}
          </div>
        )}
        {moderates && <PageQuestionsButton pageId={page.id} />}
      </header>
      {isGone && (
        <p className={classes.note} role="status">
          {t("discussions.goneDiscussion")}
        </p>
      )}
      {!isOnline && (
        <p className={classes.note} role="status">
          {t("discussions.offline")}
        </p>
      )}
      {rules.isOn && isGuest() ? (
        <p className={classes.dim}>
          {t("discussions.guest")} <AccountLink to="/signup">{t("discussions.guestSignUp")}</AccountLink>.
        </p>
      ) : rules.isOn ? (
        <AskBox page={page} userId={userId} rules={rules} onSent={setOpened} />
      ) : (
        <p className={classes.note}>{t("discussions.off")}</p>
      )}
      {list.error ? (
        <LoadFailure error={list.error} retry={list.retry} heading="p" />
      ) : !discussions ? (
        <ListSkeleton rows={Math.min(3, total ?? 1)} height="4.5rem" />
      ) : discussions.length > 0 ? (
        <QuestionList
          listId={titleId}
          courseId={page.course.id}
          discussions={discussions}
          opened={opened}
          answerId={answerId}
          onOpen={(id) => {
            setOpened(id);
            setAnswerId(null);
          }}
          onPlace={onPlace}
        />
      ) : (
        // The text of an empty list asks to write, which guests cannot.
        !(isGuest() && filter === "ALL") && (
          <p className={classes.dim}>
            {t(`discussions.empty.${filter === "ALL" && staff ? "staff" : filter}`)}
          </p>
        )
      )}
      {list.moreError !== undefined ? (
        <LoadFailure error={list.moreError} retry={() => void list.more()} heading="p" />
      ) : (
        list.hasMore && (
          <div>
            <Button variant="default" loading={list.isLoadingMore} onClick={() => void list.more()}>
              {t("discussions.more")}
            </Button>
          </div>
        )
      )}
    </section>
  );
}

/** Finds the discussion that the address names and opens it; one that was moved is opened under its page. Returns whether there is none. */
function useWanted(page: QuestionedPage, wanted: string | undefined, open: (found: Wanted) => void): boolean {
  const client = useApolloClient();
  const navigate = useNavigate();
  const show = useEffectEvent(open);
  const leave = useEffectEvent((pageId: string, question: string) =>
    navigate({ to: "/view-page/$pageId", params: { pageId }, search: { question }, replace: true }),
  );
  const [gone, setGone] = useState<string | null>(null);
  const opened = useRef<string>(undefined);
  const [failures, setFailures] = useState(0);
  const failed = useRef(false);
  useReadAgain(async () => {
    if (failed.current) setFailures((before) => before + 1);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for again after a failure
  useEffect(() => {
    failed.current = false;
    // The same link may be followed again later.
    if (!wanted) opened.current = undefined;
    const address = `${page.id} ${wanted}`;
    if (!wanted || opened.current === address) return;
    let isCurrent = true;
    findWanted(client, wanted).then(
      (found) => {
        if (!isCurrent) return;
        opened.current = address;
        setGone(found ? null : wanted);
        if (!found) return;
        if (found.pageId !== page.id) return void leave(found.pageId, wanted);
        show(found);
      },
      () => {
        // The list says that it could not be loaded.
        if (isCurrent) failed.current = true;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, page.id, wanted, failures]);
  return wanted !== undefined && gone === wanted;
}

/** How long the row may take to appear. */
const PATIENCE_MS = 5000;

function bringIntoView(id: string): void {
  const begun = performance.now();
  const look = () => {
    const row = document.getElementById(id);
    if (row) {
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "start" });
    } else if (performance.now() - begun < PATIENCE_MS) requestAnimationFrame(look);
  };
  look();
}

interface AskBoxProps extends Pick<Props, "page" | "userId" | "rules"> {
  onSent: (discussionId: string) => void;
}

/** The box for a question about the whole page; one that was begun about a place goes on here, too. */
function AskBox({ page, userId, rules, onSent }: AskBoxProps) {
  const { t } = useTranslation();
  const draft = readDraft(userId, `new:${page.id}`);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [place, setPlace] = useState<Place | null>(null);
  if (isOpen)
    return (
      <Ask
        page={page}
        userId={userId}
        rules={rules}
        place={place}
        onWholePage={() => setPlace(null)}
        autoFocus
        onSent={onSent}
        onClose={() => setOpen(false)}
      />
    );
  return (
    <OpenEditorButton
      label={t("discussions.ask")}
      draft={draft?.body}
      isFocused={wasOpened}
      onOpen={() => {
        setPlace(draft?.place ?? null);
        setWasOpened(true);
        setOpen(true);
      }}
    />
  );
}
