import { useEffect, useRef } from "react";
import classes from "./SectionList.module.css";
import type { Section } from "./sections";

interface Props {
  sections: readonly Section[];
  current: string | null;
  /** Called before the window moves to a section. */
  onChoose: (anchor: string) => void;
}

/** Links to the sections of the page; the current one is marked, and stays in sight when the list is longer than the window. */
export function SectionList({ sections, current, onChoose }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current?.parentElement;
    // Only the list scrolls, never the window.
    if (!link || !box || box.scrollHeight <= box.clientHeight || current === null) return;
    const { top, bottom } = link.getBoundingClientRect();
    const edges = box.getBoundingClientRect();
    if (top < edges.top + 24 || bottom > edges.bottom - 24)
      box.scrollTop += top - edges.top - box.clientHeight / 2;
  }, [current]);
  return (
    <ol ref={list} className={classes.list}>
      {sections.map(({ anchor, title, isInner }) => (
        <li key={anchor}>
          <a
            href={`#${encodeURIComponent(anchor)}`}
            className={classes.link}
            data-inner={isInner || undefined}
            aria-current={anchor === current ? "location" : undefined}
            onClick={(event) => {
              // Another tab or window is opened as usual.
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
              onChoose(anchor);
              focusOn(anchor);
            }}
          >
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Moves the focus to a heading, so that keyboards and screen readers go on there; the link itself scrolls. */
function focusOn(anchor: string) {
  const heading = document.getElementById(anchor);
  if (!heading) return;
  heading.tabIndex = -1;
  // The browser gives the focus to the link after the click, and a closed dialog gives it back to its button.
  requestAnimationFrame(() => heading.focus({ preventScroll: true }));
}
