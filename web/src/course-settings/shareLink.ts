/** Returns the address of the home screen with the share code filled in. */
export function shareLink(origin: string, code: string): string {
  return `${origin}/?code=${code}`;
}
