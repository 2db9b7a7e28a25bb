import type { EmbedProvider } from "../content/addresses";
import { embedAddresses } from "../content/addresses";

export interface EmbedId {
  provider: EmbedProvider;
  id: string;
}

/** The video of an address or of an embed code; null for any other text. */
export function embedOf(text: string): EmbedId | null {
  const address = /<iframe[^>]*\ssrc=["']([^"']+)["']/i.exec(text)?.[1] ?? text.trim();
  const full = address.startsWith("//") ? `https:${address}` : address;
  const url = URL.canParse(full) ? new URL(full.replaceAll("&amp;", "&")) : null;
  const found = url && /^https?:$/.test(url.protocol) ? find(url) : null;
  return found && embedAddresses(found.provider, found.id) ? found : null;
}

function find(url: URL): EmbedId | null {
  const host = url.hostname.replace(/^(www|m)\./, "");
  const [first = "", second = "", third = ""] = url.pathname.split("/").filter(Boolean);
  switch (host) {
    case "youtu.be":
      return { provider: "youtube", id: first };
    case "youtube.com":
    case "youtube-nocookie.com":
      if (first === "watch") return { provider: "youtube", id: url.searchParams.get("v") ?? "" };
      return ["embed", "shorts", "live"].includes(first) ? { provider: "youtube", id: second } : null;
    case "rutube.ru":
      if (first === "video" && second !== "private") return { provider: "rutube", id: second };
      return first === "play" && second === "embed" ? { provider: "rutube", id: third } : null;
    case "vimeo.com":
      return /^\d+$/.test(first) ? { provider: "vimeo", id: first } : null;
    case "player.vimeo.com":
      return first === "video" ? { provider: "vimeo", id: second } : null;
    case "vk.com":
    case "vk.ru":
    case "vkvideo.ru":
      return vkVideo(url);
    default:
      return null;
  }
}

function vkVideo({ pathname, searchParams }: URL): EmbedId | null {
  const id =
    pathname === "/video_ext.php"
      ? `${searchParams.get("oid")}_${searchParams.get("id")}`
      : /(?:video|clip)(-?\d+_\d+)/.exec(`${pathname} ${searchParams.get("z") ?? ""}`)?.[1];
  return id ? { provider: "vk", id } : null;
}
