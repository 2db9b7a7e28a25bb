import { useApolloClient, useQuery } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { isGuest } from "../api/session";
import { Layer } from "../comments/Layer";
import { shortened } from "../comments/openComments";
import { SelectionButton } from "../comments/SelectionButton";
import { scrollToBlock } from "../comments/scrollToBlock";
import { offerInBar, selectionBar } from "../comments/selectionBar";
import { isBlankText, type ShownText, textIn } from "../comments/shownText";
import { LoadFailure } from "../errors/LoadFailure";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { optional } from "../ui/optional";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { useReadAgain } from "../unpublished/useReadAgain";
import { BlockCard } from "./BlockCard";
import { PageQuestionsDocument } from "./Discussions.generated";
import type { Place, Rules } from "./discussion";
import classes from "./PageQuestions.module.css";
import type { QuestionedPage } from "./page";
import { useDiscussionsChanged } from "./useDiscussionsChanged";

/** The list needs more code than the marks beside the text. */
const Section = optional(
  () =>
    withTexts(import("./QuestionsSection"), "discussions", "courseQuestions").then(
      ({ QuestionsSection }) => QuestionsSection,
    ),
  <SkeletonBlock height="8rem" />,
);

interface Props {
  page: QuestionedPage;
  content: RefObject<HTMLElement | null>;
  /** The discussion that the address names, or one of its posts. */
  wanted: string | undefined;
}

/** The questions of a page: marks beside its blocks, a button to ask about a place, and the section below its end. */
export function PageQuestions({ page, content, wanted }: Props) {
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(PageQuestionsDocument, {
    variables: { id: page.id },
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  const userId = useQuery(MeDocument).data?.me.id;
  const rules = data?.page.discussionRules ?? null;
  const read = () =>
    client.query({
      query: PageQuestionsDocument,
      variables: { id: page.id },
      fetchPolicy: "network-only",
      // A request sent before an event must not be reused after it.
      context: { queryDeduplication: false },
    });
  useDiscussionsChanged(page.course.id, rules ? page.id : undefined, { onChange: read, onAgain: read });
  useReadAgain(async () => {
    if (!data) await refetch();
  });
  const slot = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(slot, wanted !== undefined, rules !== null);
  const isLearner = page.course.myRole === "LEARNER";
  // Who has come for a question is told why it is missing; beside the text of a page, questions may come later.
  if (!data && error && wanted !== undefined)
    return <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} heading="p" />;
  if (!rules || userId === undefined || (isLearner && !rules.isOn)) return null;
  return (
    <>
      <Marks
        page={page}
        holder={content.current}
        userId={userId}
        rules={rules}
        blocks={data?.page.blockQuestions ?? []}
      />
      <div ref={slot} className={classes.slot}>
        {isNear && (
          <Section
            page={page}
            userId={userId}
            rules={rules}
            wanted={wanted}
            onPlace={(block) =>
              scrollToBlock(content.current && textIn(content.current, page.content).blockAt(block))
            }
          />
        )}
      </div>
    </>
  );
}

/** How near to the window the section is loaded, in pixels. */
const NEAR = 800;

/** Whether the slot has come near the window, or is wanted at once. */
function useIsNear(slot: RefObject<HTMLElement | null>, isWanted: boolean, isShown: boolean): boolean {
  const [isNear, setNear] = useState(isWanted);
  if (isWanted && !isNear) setNear(true);
  useEffect(() => {
    if (isNear || !isShown || !slot.current) return;
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && setNear(true), {
      rootMargin: `${NEAR}px 0px`,
    });
    observer.observe(slot.current);
    return () => observer.disconnect();
  }, [slot, isNear, isShown]);
  return isNear;
}

interface MarksProps {
  page: QuestionedPage;
  /** The element that holds the text. */
  holder: HTMLElement | null;
  userId: string;
  rules: Rules;
  blocks: readonly { block: number | null; openCount: number }[];
}

/** What lies over the text: the marks at blocks with open questions, and the card below the block that was chosen. */
function Marks({ page, holder, userId, rules, blocks }: MarksProps) {
  const { t } = useTranslation();
  const [active, setActive] = useState<{ place: Place; isAsking: boolean; number: number } | null>(null);
  useEffect(() => {
    holder?.classList.add(classes.host ?? "");
    return () => holder?.classList.remove(classes.host ?? "");
  }, [holder]);
  const text = useMemo(() => {
    const root = holder?.firstElementChild;
    return holder && root instanceof HTMLElement ? { ...textIn(holder, page.content), root } : null;
  }, [holder, page.content]);
  if (!holder || !text) return null;
  const mayAsk = rules.isOn && !isGuest();
  const open = (place: Place, isAsking: boolean) =>
    setActive((before) => ({ place, isAsking, number: (before?.number ?? 0) + 1 }));
  // The text may change while the card is open, so the place keeps its version.
  const placeOf = (block: number): Place => ({
    block,
    quote: shortened(text.wordsOf(block)),
    version: page.version,
  });
  const close = () => {
    setActive(null);
    // The card had the focus: it goes back to the mark or the button of the block.
    layerButton(holder)?.focus({ preventScroll: true });
  };
  return createPortal(
    <>
      <Layer
        text={text}
        texts={{
          mark: (count, number) => t("discussions.mark", { count, number }),
          add: (number, words) => t("discussions.askAbout", { number, words }),
          addTitle: t("discussions.askHere"),
          chosen: (number, words) => t("discussions.chosen", { number, words }),
        }}
        kind="questions"
        marks={blocks.flatMap(({ block, openCount }) =>
          block === null || block >= text.count() ? [] : [{ block, count: openCount }],
        )}
        active={active?.place.block ?? null}
        cursor={null}
        onOpen={(block) => (active?.place.block === block ? close() : open(placeOf(block), false))}
        onStart={mayAsk && !isBlankText(page.content) ? (block) => open(placeOf(block), true) : undefined}
      >
        {active && (
          <BlockCard
            key={active.number}
            page={page}
            userId={userId}
            rules={rules}
            place={active.place}
            isAsking={active.isAsking}
            openCount={blocks.find(({ block }) => block === active.place.block)?.openCount ?? 0}
            onClose={close}
          />
        )}
      </Layer>
      {mayAsk && (
        <AskAboutSelection text={text} onStart={(place) => open({ ...place, version: page.version }, true)} />
      )}
    </>,
    holder,
  );
}

/** Asks about selected words: in the bar of the reader's notes, or with a button of its own where there is none. */
function AskAboutSelection({ text, onStart }: { text: ShownText; onStart: (place: Place) => void }) {
  const { t } = useTranslation();
  const hasBar = useSelector(selectionBar, ({ isShown }) => isShown);
  const start = useEffectEvent(onStart);
  const label = t("discussions.askHere");
  useEffect(() => offerInBar({ label, onStart: (place) => start(place) }), [label]);
  return hasBar ? null : <SelectionButton text={text} label={label} onStart={onStart} />;
}

/** The button of the open card among those beside the text. */
const layerButton = (holder: HTMLElement) =>
  holder.querySelector<HTMLElement>("[data-kind=questions] > button[aria-expanded=true]") ??
  holder.querySelector<HTMLElement>("[data-kind=questions] > button:not([aria-expanded])");
