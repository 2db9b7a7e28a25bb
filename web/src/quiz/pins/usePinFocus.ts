import { useState } from "react";
import { commentId, placeId } from "./pins";

/** Which comment stands out, and the ways between it and its place: by click or Enter on one of the two, with the focus. */
export function usePinFocus(scope: string) {
  const [active, setActive] = useState<number | null>(null);
  const focus = (id: string) => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block: "nearest" });
    (element?.querySelector<HTMLElement>("textarea") ?? element)?.focus({ preventScroll: true });
  };
  return {
    active,
    setActive,
    openComment: (index: number) => {
      setActive(index);
      focus(commentId(scope, index));
    },
    showPlace: (index: number) => {
      setActive(index);
      focus(placeId(scope, index));
    },
  };
}
