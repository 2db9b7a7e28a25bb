/** What the routes have asked for since the app started, each until it is settled. */
const asked = new Set<Promise<unknown>>();

/** A slower answer finds the outline of its own screen. */
const PATIENCE_MS = 500;

/** For a loader that does not wait: the first screen may. Whatever goes wrong, the screen asks for the same and shows it. */
export function loadsMeanwhile(answer: Promise<unknown>): void {
  const settled = answer.then(
    () => {},
    () => {},
  );
  asked.add(settled);
  void settled.then(() => asked.delete(settled));
}

/** Asked for while the app was on its way, the first screen's data is here in a moment: then it is drawn once and not twice. */
export async function firstData(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([Promise.all(asked), patience]);
  clearTimeout(timer);
}
