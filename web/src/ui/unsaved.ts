import { toastFailure } from "./toasts";

/** Something that a person typed or changed and that the server does not have yet. */
export interface Unsaved {
  /** Whether leaving the app now loses something. */
  isUnsaved: () => boolean;
  /** The fields, for a dialog that closes with them inside. Null for work that goes on without its screen, such as a queue. */
  element?: () => Element | null;
  /** Whether it is a file on its way to the server, which only the words of the question depend on. */
  isUpload?: boolean | undefined;
  /** Waits until what is being sent is answered. Signing out calls it before asking. */
  settle?: () => Promise<unknown>;
  /** Forgets what was typed, after the person chose so. */
  discard?: () => void;
}

/** The longest wait, in milliseconds, for requests that are being answered while a person signs out. */
const SETTLE_MS = 3000;

const guarded = new Set<Unsaved>();
/** The question that is being asked; there is one at a time. */
let asked: Promise<boolean> | null = null;

/** Asks before the window is closed with something unsaved. Returns a function that ends the guard. */
export function guardUnsaved(unsaved: Unsaved): () => void {
  // A page with this listener is slower to come back from history, so it exists only with something to guard.
  if (guarded.size === 0) window.addEventListener("beforeunload", onBeforeUnload);
  guarded.add(unsaved);
  return () => {
    guarded.delete(unsaved);
    if (guarded.size === 0) window.removeEventListener("beforeunload", onBeforeUnload);
  };
}

/**
 * Asks whether unsaved text may be lost, in a form inside `place` or in any form on the screen. Resolves to whether to go on; what was
 * typed is then discarded. Without unsaved text it resolves to true at once.
 */
export async function mayLeave(place: Element = document.body): Promise<boolean> {
  return ask([...guarded].filter(({ element }) => contains(place, element?.())));
}

/** Asks as `mayLeave` does, about forms and about work that goes on without its screen, which gets some time to end. */
export async function maySignOut(): Promise<boolean> {
  const settled = Promise.all([...guarded].map(({ settle }) => settle?.()));
  await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
  return ask([...guarded]);
}

async function ask(found: Unsaved[]): Promise<boolean> {
  const unsaved = found.filter(({ isUnsaved }) => isUnsaved());
  if (unsaved.length === 0) return true;
  asked ??= show(unsaved).finally(() => {
    asked = null;
  });
  if (!(await asked)) return false;
  for (const { discard } of unsaved) discard?.();
  return true;
}

async function show(unsaved: readonly Unsaved[]): Promise<boolean> {
  try {
    const { askToDiscard } = await import("./UnsavedQuestion");
    return await askToDiscard(unsaved);
  } catch (error) {
    // The question could not be loaded: the text stays.
    toastFailure(error);
    return false;
  }
}

function contains(place: Element, element: Element | null | undefined): boolean {
  return element !== null && element !== undefined && place.contains(element);
}

function onBeforeUnload(event: BeforeUnloadEvent) {
  if ([...guarded].some(({ isUnsaved }) => isUnsaved())) event.preventDefault();
}
