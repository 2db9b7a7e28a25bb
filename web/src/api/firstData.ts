/** The pending requests of the routes' loaders. */
const asked = new Set<Promise<unknown>>();

/** After this time the first screen renders its skeleton. */
const TIMEOUT_MS = 500;

/** Registers the request of a loader that does not await it. Ignores its failure: the screen sends the same query and shows the error. */
export function startRequest(answer: Promise<unknown>): void {
  const settled = answer.then(
    () => {},
    () => {},
  );
  asked.add(settled);
  void settled.then(() => asked.delete(settled));
}

/** Resolves when the registered requests are settled, or after the timeout, so that the first screen renders once with its data. */
export async function firstData(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS);
  });
  await Promise.race([Promise.all(asked), timeout]);
  clearTimeout(timer);
}
