export interface Present {
  id: string;
  name: string;
}

const NOBODY: readonly Present[] = [];

/** Who else has this page open in an editor. Filled by the subscription `pageChanged` when the server offers it. */
export function usePresence(_pageId: string): readonly Present[] {
  return NOBODY;
}
