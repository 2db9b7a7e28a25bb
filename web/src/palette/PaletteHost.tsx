import { type AnyRouter, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { withTexts } from "../i18n";
import { toastFailure } from "../ui/toasts";
import { keepTyped } from "./typedAhead";

type Component = typeof import("./Palette").Palette;

let loaded: Component | undefined;
const load = (router: AnyRouter) =>
  withTexts(import("./Palette"), "home", "palette").then(({ Palette, watchFoundPlaces }) => {
    if (!loaded) watchFoundPlaces(router);
    loaded = Palette;
    return Palette;
  });

/** Opens the palette from any component. */
export function openPalette() {
  window.dispatchEvent(new Event("kurso:palette"));
}

/** Renders the palette. Ctrl+K (Cmd+K on a Mac) opens it, by physical key and so also on a Russian layout. */
export function PaletteHost() {
  const router = useRouter();
  const [shown, setShown] = useState<{ Palette: Component; typed: string } | null>(null);
  useEffect(() => {
    let coming: ReturnType<typeof keepTyped> | undefined;
    const open = () => {
      if (loaded) return setShown({ Palette: loaded, typed: "" });
      if (coming) return;
      coming = keepTyped(() => {
        coming = undefined;
      });
      const asked = coming;
      load(router).then(
        (Palette) => {
          if (coming !== asked) return;
          coming = undefined;
          // Synchronously, so that the next key reaches the field.
          flushSync(() => setShown({ Palette, typed: asked.take() }));
        },
        (error) => {
          asked.take();
          coming = undefined;
          toastFailure(error);
        },
      );
    };
    const onKey = (event: KeyboardEvent) => {
      // Starts loading on the modifier key, before K is pressed.
      if (!loaded && (event.key === "Control" || event.key === "Meta")) load(router).catch(() => undefined);
      const asked =
        event.code === "KeyK" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      // A text editor may handle the shortcut itself, and an open dialog must be closed first.
      if (!asked || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("kurso:palette", open);
    // Preloads the palette: it is small and must also open without a network. It also marks the place of a search result, at once in
    // a new tab.
    const idle = setTimeout(
      () => load(router).catch(() => undefined),
      location.hash.startsWith("#find") ? 0 : 3000,
    );
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("kurso:palette", open);
      clearTimeout(idle);
      coming?.take();
    };
  }, [router]);
  return (
    shown && (
      <RegionBoundary>
        <shown.Palette typedAhead={shown.typed} onClose={() => setShown(null)} />
      </RegionBoundary>
    )
  );
}
