import { describe, expect, it } from "vitest";
import { type EmbedProvider, embedAddresses, readFileSrc, readHref } from "./addresses";

const PAGE = "0190a6b2-3f4c-7d5e-8a9b-0c1d2e3f4a5b";
const FILE = `/files/${"0a".repeat(16)}/%D1%84.png`;

describe("readHref", () => {
  it.each([
    [`page:${PAGE}`, { kind: "page", pageId: PAGE, anchor: null }],
    [`page:${PAGE}#стек-и-куча`, { kind: "page", pageId: PAGE, anchor: "стек-и-куча" }],
    [`page:${PAGE}#%D1%81`, { kind: "page", pageId: PAGE, anchor: "с" }],
    ["#итоги", { kind: "anchor", anchor: "итоги" }],
    ["#100%", { kind: "anchor", anchor: "100%" }],
    [FILE, { kind: "file", href: FILE }],
    ["mailto:a@example.com", { kind: "mail", href: "mailto:a@example.com" }],
    ["https://example.com/a?b#c", { kind: "web", href: "https://example.com/a?b#c" }],
    ["HTTP://example.com", { kind: "web", href: "HTTP://example.com" }],
  ])("knows %s", (href, target) => {
    expect(readHref(href)).toEqual(target);
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.com/1",
    "//example.com",
    "/login",
    "../x",
    "page:not-a-uuid",
    `page:${PAGE}/../../login`,
    "https://",
    "https://exa mple",
    "mailto:",
    "#",
    "",
    `/files/${"0a".repeat(16)}/../../api`,
    null,
    undefined,
    42,
    { href: "https://example.com" },
  ])("refuses %j", (href) => {
    expect(readHref(href)).toBeNull();
  });
});

describe("readFileSrc", () => {
  it("accepts uploaded files and nothing else", () => {
    expect(readFileSrc(FILE)).toBe(FILE);
    for (const src of [
      "https://example.com/a.png",
      "data:image/png;base64,x",
      "/files/short/a.png",
      "/a.png",
      null,
    ]) {
      expect(readFileSrc(src)).toBeNull();
    }
  });
});

describe("embedAddresses", () => {
  it.each([
    ["youtube", "dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?"],
    [
      "rutube",
      "c6cc4d620b1d4338901770a44b3e82f4",
      "https://rutube.ru/play/embed/c6cc4d620b1d4338901770a44b3e82f4?",
    ],
    ["vk", "-22822305_456241864", "https://vkvideo.ru/video_ext.php?oid=-22822305&id=456241864&"],
    ["vimeo", "76979871", "https://player.vimeo.com/video/76979871?"],
  ] as const)("plays %s from its own player", (provider, id, player) => {
    expect(embedAddresses(provider, id)?.player.startsWith(player)).toBe(true);
  });

  it.each([
    ["youtube", "../../evil"],
    ["youtube", ""],
    ["youtube", "a?b=c"],
    ["vimeo", "x".repeat(65)],
    ["vk", "456241864"],
    ["vk", "1_2&hash=3"],
  ] as [EmbedProvider, string][])("refuses %s with id %j", (provider, id) => {
    expect(embedAddresses(provider, id)).toBeNull();
  });
});
