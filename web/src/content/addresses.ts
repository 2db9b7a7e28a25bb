/**
 * Allowlist of addresses that may reach the DOM. The server refuses other addresses when a page is saved; this is the second check,
 * because a `javascript:` address would run with the learner's session.
 */
export type LinkTarget =
  | { kind: "page"; pageId: string; anchor: string | null }
  | { kind: "anchor"; anchor: string }
  | { kind: "file"; href: string }
  | { kind: "mail"; href: string }
  | { kind: "web"; href: string };

const PAGE = /^page:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:#(.+))?$/i;
const FILE = /^\/files\/[0-9a-f]{32}\/[^/\\?#\s]+$/i;

/** Parses a `link.href`; null for an address outside of the content model. */
export function readHref(href: unknown): LinkTarget | null {
  if (typeof href !== "string") return null;
  const page = PAGE.exec(href);
  if (page?.[1])
    return { kind: "page", pageId: page[1].toLowerCase(), anchor: page[2] ? decoded(page[2]) : null };
  if (href.startsWith("#"))
    return href.length > 1 ? { kind: "anchor", anchor: decoded(href.slice(1)) } : null;
  if (FILE.test(href)) return { kind: "file", href };
  if (/^mailto:[^\s]/i.test(href)) return { kind: "mail", href };
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null;
  return { kind: "web", href };
}

/** The address of an uploaded file; null for any other value. */
export function readFileSrc(src: unknown): string | null {
  return typeof src === "string" && FILE.test(src) ? src : null;
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}

export const EMBED_PROVIDERS = ["youtube", "rutube", "vk", "vimeo"] as const;
export type EmbedProvider = (typeof EMBED_PROVIDERS)[number];

export interface EmbedAddresses {
  /** The provider's name, the same in every language. */
  name: string;
  /** Address for the frame, loaded when the learner starts the video. */
  player: string;
  /** The same video on the provider's own site. */
  page: string;
}

/** Builds the addresses of a video from its provider and id, so that no arbitrary address can be embedded. */
export function embedAddresses(provider: EmbedProvider, id: string): EmbedAddresses | null {
  if (provider === "vk") {
    const parts = /^(-?\d+)_(\d+)$/.exec(id);
    if (!parts) return null;
    return {
      name: "VK Видео",
      player: `https://vkvideo.ru/video_ext.php?oid=${parts[1]}&id=${parts[2]}&autoplay=1`,
      page: `https://vkvideo.ru/video${id}`,
    };
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return null;
  switch (provider) {
    case "youtube":
      return {
        name: "YouTube",
        player: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
        page: `https://www.youtube.com/watch?v=${id}`,
      };
    case "rutube":
      return {
        name: "RUTUBE",
        player: `https://rutube.ru/play/embed/${id}?autoplay=1`,
        page: `https://rutube.ru/video/${id}/`,
      };
    case "vimeo":
      return {
        name: "Vimeo",
        player: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
        page: `https://vimeo.com/${id}`,
      };
  }
}
