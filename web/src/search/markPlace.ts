/** Marks the place of a search result on the open screen, and scrolls to it. */
import documentStyles from "../content/Document.module.css";
import classes from "./FoundNote.module.css";
import type { FoundPlace } from "./foundPlace";
import { rangeAfter, wordRanges } from "./wordRanges";

/** The name of the highlight in FoundNote.module.css. */
const HIGHLIGHT = "found-place";
/** How long the screen may take to show the place. */
const PATIENCE_MS = 10_000;
/** How long an element may take to show its words; then it gets an outline. */
const TEXT_MS = 700;
/** After this time the words of a question without an element of its own are searched in the whole screen. */
const DOUBT_MS = 2000;
const LOOK_MS = 100;

interface Marking {
  place: FoundPlace;
  /** Whether the screen was open already; otherwise the jump is not animated. */
  isSameScreen: boolean;
  onShown: () => void;
  onMissing: () => void;
}

/** Waits for the place, marks it, and keeps the marks while the screen changes. Returns a function that removes them. */
export function markPlace({ place, isSameScreen, onShown, onMissing }: Marking): () => void {
  const begun = performance.now();
  let marks: ReturnType<typeof keepMarks> | undefined;
  let seen: number | undefined;
  const look = () => {
    const now = performance.now();
    const waited = now - begun;
    const target = targetOf(place, waited > DOUBT_MS);
    const ranges = target ? wordRanges(target, place.words) : [];
    if (target) seen ??= now;
    if (target && seen !== undefined && (ranges.length > 0 || now - seen > TEXT_MS)) {
      clearInterval(timer);
      scrollTo(rangeAfter(target, ranges, place.before) ?? target, isSameScreen);
      marks = keepMarks(() => targetOf(place, true), place.words);
      onShown();
    } else if (waited > PATIENCE_MS) {
      clearInterval(timer);
      onMissing();
    }
  };
  const timer = setInterval(look, LOOK_MS);
  look();
  return () => {
    clearInterval(timer);
    marks?.remove();
  };
}

/** The element that has the words. Once in doubt, the whole screen if a question has no element of its own. */
function targetOf({ block, questionId, words }: FoundPlace, isInDoubt: boolean): Element | null {
  const screen = document.getElementById("main");
  if (block !== null) {
    // On quiz pages, questions contain documents as well. The document of the page is the first one.
    const text = screen?.querySelector(`.${documentStyles.document}:not([hidden] *)`);
    return text?.children[block] ?? null;
  }
  if (questionId !== null) {
    const id = CSS.escape(questionId);
    const question =
      // The expanded question of a bank follows its header row.
      screen?.querySelector(`[data-question="${id}"] [data-open-question]`) ??
      screen?.querySelector(`#question-${id}, [data-question="${id}"]`) ??
      // The builder of a quiz shows one open question.
      screen?.querySelector("[data-open-question]");
    if (question || !isInDoubt) return question ?? null;
  }
  const article = isInDoubt ? screen?.querySelector("article") : null;
  return article && wordRanges(article, words).length > 0 ? article : null;
}

function scrollTo(place: Range | Element, isAnimated: boolean) {
  const isStill = !isAnimated || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const element = place instanceof Range ? place.startContainer.parentElement : place;
  if (element && !element.closest("[contenteditable=true]"))
    for (
      let outer = element.closest("details");
      outer;
      outer = outer.parentElement?.closest("details") ?? null
    )
      outer.open = true;
  const toPlace = (behavior: ScrollBehavior) => {
    const box = place.getBoundingClientRect();
    // A third of the window stays above, so that the text before the place is seen.
    const top = window.scrollY + box.top - window.innerHeight / 3;
    window.scrollTo({ top: Math.max(0, top), behavior });
  };
  toPlace(isStill ? "instant" : "smooth");
  // Blocks that come near the window get their real heights.
  if (isStill) requestAnimationFrame(() => requestAnimationFrame(() => toPlace("instant")));
}

/** Marks the words, or outlines the element when the browser cannot mark them or the words are not in its text. */
function keepMarks(findTarget: () => Element | null, words: readonly string[]) {
  const canMark = "highlights" in CSS;
  const outline = document.createElement("div");
  outline.className = classes.outline ?? "";
  const draw = () => {
    const target = findTarget();
    const ranges = target ? wordRanges(target, words) : [];
    if (canMark && ranges.length > 0) {
      CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
      outline.remove();
    } else if (target) {
      if (canMark) CSS.highlights.delete(HIGHLIGHT);
      const box = target.getBoundingClientRect();
      outline.style.top = `${window.scrollY + box.top}px`;
      outline.style.left = `${window.scrollX + box.left}px`;
      outline.style.width = `${box.width}px`;
      outline.style.height = `${box.height}px`;
      document.body.append(outline);
    }
  };
  draw();
  // Highlighted code and formulas replace the text after it is shown, and authors change it.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const redraw = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      draw();
    }, LOOK_MS);
  };
  const screen = document.getElementById("main");
  const changes = new MutationObserver(redraw);
  const sizes = new ResizeObserver(redraw);
  if (screen) {
    changes.observe(screen, { subtree: true, childList: true, characterData: true });
    sizes.observe(screen);
  }
  return {
    remove: () => {
      clearTimeout(timer);
      changes.disconnect();
      sizes.disconnect();
      outline.remove();
      if (canMark) CSS.highlights.delete(HIGHLIGHT);
    },
  };
}
