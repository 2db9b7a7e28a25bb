import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { toastFailure } from "../ui/toasts";
import { keepTyped } from "./typedAhead";

type Component = typeof import("./Palette").Palette;

let loaded: Component | undefined;
const load = () =>
  import("./Palette").then(({ Palette }) => {
    loaded = Palette;
    return Palette;
  });

/** Opens the palette, from wherever it is asked for. */
export function openPalette() {
  window.dispatchEvent(new Event("kurso:palette"));
}

/** Where the palette appears: by Ctrl+K, on a Mac Cmd+K, by the place of the key and so also as Ctrl+Л. */
export function PaletteHost() {
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
      load().then(
        (Palette) => {
          if (coming !== asked) return;
          coming = undefined;
          // At once: the next key finds the field.
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
      // Before its letter: the first half of the way is done by then.
      if (!loaded && (event.key === "Control" || event.key === "Meta")) load().catch(() => undefined);
      const asked =
        event.code === "KeyK" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      // A text editor may have a meaning of its own for it; another dialog is finished first.
      if (!asked || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("kurso:palette", open);
    // Small, and wanted without a network too.
    const idle = setTimeout(() => load().catch(() => undefined), 3000);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("kurso:palette", open);
      clearTimeout(idle);
      coming?.take();
    };
  }, []);
  return (
    shown && (
      <RegionBoundary>
        <shown.Palette typedAhead={shown.typed} onClose={() => setShown(null)} />
      </RegionBoundary>
    )
  );
}
