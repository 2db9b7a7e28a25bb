import { createStore, useSelector } from "@tanstack/react-store";
import { useEffect } from "react";

type Typeset = (latex: string, displayMode: boolean) => string;

/** In an object, because a store calls an updater that is a function. */
const store = createStore<{ typeset: Typeset | null }>({ typeset: null });
let loading: Promise<void> | null = null;

/** Loads the typesetter once; after a failure the next formula tries again. */
export function loadTypesetter(): Promise<void> {
  loading ??= import("./katex")
    .then(({ typeset }) => store.setState(() => ({ typeset })))
    .catch(() => {
      loading = null;
    });
  return loading;
}

/** The typesetter, null until it is loaded. Calling this hook loads it. */
export function useTypeset(): Typeset | null {
  useEffect(() => void loadTypesetter(), []);
  return useSelector(store, ({ typeset }) => typeset);
}

/** Calls `use` with the typesetter, at once when it is loaded. */
export function whenTypesetter(use: (typeset: Typeset) => void): void {
  const { typeset } = store.get();
  if (typeset) use(typeset);
  else void loadTypesetter().then(() => store.get().typeset && whenTypesetter(use));
}
