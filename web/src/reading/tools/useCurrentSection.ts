import { useEffect, useRef, useState } from "react";
import type { Section } from "./sections";

/** A heading above this line of the window begins what is read. */
const LINE = 140;

/**
 * The section at the top of the window, null above the first one, and a function that says where the reader goes: at the end of a page the
 * chosen heading cannot reach the top. Headings that are not rendered yet are below the window.
 */
export function useCurrentSection(sections: readonly Section[]) {
  const [current, setCurrent] = useState<string | null>(null);
  const chosen = useRef<string | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      setCurrent(sectionAt(sections, chosen.current));
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    // The reader's own movement, not the one that a link began.
    const forget = () => {
      chosen.current = null;
      onScroll();
    };
    look();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onScroll);
    window.addEventListener("wheel", forget, { passive: true });
    window.addEventListener("touchmove", forget, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onScroll);
      window.removeEventListener("wheel", forget);
      window.removeEventListener("touchmove", forget);
    };
  }, [sections]);
  const choose = (anchor: string) => {
    chosen.current = anchor;
    setCurrent(anchor);
  };
  return [current, choose] as const;
}

function sectionAt(sections: readonly Section[], chosen: string | null): string | null {
  const topOf = (anchor: string) => document.getElementById(anchor)?.getBoundingClientRect().top;
  let at: string | null = null;
  for (const { anchor } of sections) {
    const top = topOf(anchor);
    if (top === undefined || top > LINE) break;
    at = anchor;
  }
  if (chosen === null || chosen === at) return at;
  const top = topOf(chosen);
  const root = document.documentElement;
  const isAtEnd = root.scrollTop + window.innerHeight >= root.scrollHeight - 2;
  return isAtEnd && top !== undefined && top > 0 && top < window.innerHeight ? chosen : at;
}
