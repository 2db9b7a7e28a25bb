import { useSyncExternalStore } from "react";

type Typeset = (latex: string, displayMode: boolean) => string;

let typeset: Typeset | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

/** Loads the typesetter once; after a failure the next formula tries again. */
export function loadTypesetter(): Promise<void> {
  loading ??= import("./katex").then(
    (module) => {
      typeset = module.typeset;
      for (const listener of listeners) listener();
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  void loadTypesetter();
  return () => listeners.delete(listener);
}

/** The typesetter, null until it is loaded. Calling this hook loads it. */
export function useTypeset(): Typeset | null {
  return useSyncExternalStore(subscribe, () => typeset);
}

/** Calls `use` with the typesetter, at once when it is loaded. */
export function whenTypesetter(use: (typeset: Typeset) => void): void {
  if (typeset) use(typeset);
  else void loadTypesetter().then(() => typeset && use(typeset));
}
