import { expect, test } from "vitest";
import { embedOf } from "./embedOf";

test.each([
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=10s", "youtube", "dQw4w9WgXcQ"],
  ["https://youtu.be/dQw4w9WgXcQ?si=x", "youtube", "dQw4w9WgXcQ"],
  ["https://youtube.com/shorts/dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ"],
  ["https://rutube.ru/video/c6cc4d620b1d4338901770a44b3e82f4/", "rutube", "c6cc4d620b1d4338901770a44b3e82f4"],
  ["https://rutube.ru/play/embed/c6cc4d62", "rutube", "c6cc4d62"],
  ["https://vimeo.com/76979871", "vimeo", "76979871"],
  ["https://player.vimeo.com/video/76979871?h=1", "vimeo", "76979871"],
  ["https://vkvideo.ru/video-22822305_456241864", "vk", "-22822305_456241864"],
  ["https://vk.com/feed?z=video-1_2%2Fabc", "vk", "-1_2"],
  ["https://vk.com/video_ext.php?oid=-1&id=2&hd=2", "vk", "-1_2"],
  [
    '<iframe width="560" src="https://www.youtube.com/embed/dQw4w9WgXcQ" allowfullscreen></iframe>',
    "youtube",
    "dQw4w9WgXcQ",
  ],
  ["//player.vimeo.com/video/1", "vimeo", "1"],
])("%s", (text, provider, id) => expect(embedOf(text)).toEqual({ provider, id }));

test.each([
  "https://example.com/watch?v=dQw4w9WgXcQ",
  "https://youtube.com/",
  "https://youtube.com/watch?v=../../evil",
  "javascript:alert(1)//youtu.be/dQw4w9WgXcQ",
  "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
  "просто текст",
  "",
])("%j is no film", (text) => expect(embedOf(text)).toBeNull());
