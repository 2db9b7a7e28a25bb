import { type ComponentType, useEffect, useState } from "react";
import { toastStore } from "./toasts";

/** Loads the toaster after the first screen is shown; when that fails, with the next toast. */
export function ToasterHost() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null);
  useEffect(() => {
    const load = () => void import("./Toaster").then(setLoaded).catch(() => {});
    load();
    const { unsubscribe } = toastStore.subscribe(load);
    return unsubscribe;
  }, []);
  return loaded && <loaded.Toaster />;
}
