/** Shows the place that the address of a search result names: marks it until Escape or until the screen is left. */
import type { AnyRouter } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { FoundNote } from "./FoundNote";
import { placeOf } from "./foundPlace";
import { markPlace } from "./markPlace";

/** Watches the addresses of a router. Call it once. */
export function watchFoundPlaces(router: AnyRouter) {
  let hide = () => {};
  let lastPath: string | undefined;
  const look = () => {
    const { pathname, hash } = window.location;
    const isSameScreen = pathname === lastPath;
    lastPath = pathname;
    const place = placeOf(hash);
    if (!place) return;
    hide();
    hide = showPlace(router, place, isSameScreen);
  };
  router.subscribe("onRendered", look);
  router.subscribe("onBeforeLoad", ({ pathChanged }) => {
    if (pathChanged) hide();
  });
  look();
}

function showPlace(
  router: AnyRouter,
  place: NonNullable<ReturnType<typeof placeOf>>,
  isSameScreen: boolean,
): () => void {
  let removeNote = () => {};
  // The address is that of the page again, so that neither going back nor reloading shows the place once more. Until the place is
  // shown, the fragment keeps the page from opening at the position where it was left.
  const finish = () => {
    const { pathname, search } = window.location;
    void router.navigate({ href: pathname + search, replace: true, resetScroll: false });
  };
  const unmark = markPlace({
    place,
    isSameScreen,
    onShown: () => {
      finish();
      removeNote = showNote(hide);
    },
    onMissing: finish,
  });
  const onKey = (event: KeyboardEvent) => {
    // An open dialog or menu takes Escape first.
    if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) hide();
  };
  window.addEventListener("keydown", onKey);
  function hide() {
    window.removeEventListener("keydown", onKey);
    unmark();
    removeNote();
  }
  return hide;
}

/** The note lives beside the app, because it belongs to no screen. */
function showNote(onClose: () => void): () => void {
  const holder = document.createElement("div");
  document.body.append(holder);
  const root = createRoot(holder);
  root.render(<FoundNote onClose={onClose} />);
  return () => {
    root.unmount();
    holder.remove();
  };
}
