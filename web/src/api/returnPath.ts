/**
 * The path that a signed-out person asked for. It waits in the tab's session storage until they have signed in, through signing up
 * and recovering a password.
 */
const KEY = "return_path";

/** Keeps a path of the app, with its search parameters. Ignores addresses of other sites. */
export function keepReturnPath(path: string) {
  if (/^\/(?![/\\])/.test(path)) sessionStorage.setItem(KEY, path);
}

/** Returns the kept path; the home screen's if there is none. */
export function returnPath(): string {
  return sessionStorage.getItem(KEY) ?? "/";
}

/** Returns the kept path and removes it. */
export function takeReturnPath(): string {
  const path = returnPath();
  sessionStorage.removeItem(KEY);
  return path;
}
