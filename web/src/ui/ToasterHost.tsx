import { type ComponentType, useEffect, useState } from "react";
import { toastStore } from "./toasts";
import { whenIdle } from "./whenIdle";

/** Loads the toaster after the first screen is shown; when that fails, with the next toast. */
export function ToasterHost() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null);
  useEffect(() => {
    const load = () => void import("./Toaster").then(setLoaded).catch(() => {});
    const cancel = whenIdle(load);
    const { unsubscribe } = toastStore.subscribe(load);
    return () => {
      cancel();
      unsubscribe();
    };
  }, []);
  return loaded && <loaded.Toaster />;
}
