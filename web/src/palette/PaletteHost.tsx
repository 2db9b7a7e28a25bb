import { useEffect, useState } from "react";
import { RegionBoundary } from "../errors/SomethingWentWrong";
import { toastFailure } from "../ui/toasts";

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
  const [Palette, setPalette] = useState<Component | null>(null);
  useEffect(() => {
    const open = () => {
      if (loaded) setPalette(() => loaded as Component);
      else load().then((palette) => setPalette(() => palette), toastFailure);
    };
    const onKey = (event: KeyboardEvent) => {
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
    };
  }, []);
  return (
    Palette && (
      <RegionBoundary>
        <Palette onClose={() => setPalette(null)} />
      </RegionBoundary>
    )
  );
}
