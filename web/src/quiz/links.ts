/** The most characters of one address. The server has the same limit. */
export const LINK_MAX = 2000;

/**
 * Completes a typed address: without a scheme it gets `https://`, if it looks like the address of a site. Other text stays as it is.
 */
export function completedLink(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^[a-z][a-z0-9+-]*:/i.test(text)) return text;
  return /^[^\s/?#@]+\.[^\s/?#.@]{2,}(?::\d+)?(?:[/?#]\S*)?$/.test(text) ? `https://${text}` : text;
}

/** Whether the text is an address that the server takes: http or https with a host, without spaces. */
export function isLink(text: string): boolean {
  return text.length <= LINK_MAX && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** The filled addresses that are none, by their index. */
export function wrongLinks(links: readonly string[]): number[] {
  return links.flatMap((link, at) => (link.trim() === "" || isLink(link.trim()) ? [] : at));
}

/** Splits pasted text into addresses: one for each run without white space. Null for text without a second one. */
export function pastedLinks(pasted: string): string[] | null {
  const parts = pasted
    .split(/\s+/)
    .map((part) => part.replace(/^[<("«]+|[>)"»,;]+$/g, ""))
    .filter((part) => part !== "");
  if (parts.length < 2 || !parts.every((part) => isLink(completedLink(part)))) return null;
  return parts.map(completedLink);
}
