import type { content as russian } from "../ru/content";

export const content: typeof russian = {
  brokenDocument: "This page's content cannot be shown: it is damaged or written by a newer version.",
  brokenBlock: "This part cannot be shown.",
  brokenFormula: "The formula has an error",
  linkToHeading: "Link to the section “{{heading}}”",
  opensInNewTab: "(opens in a new tab)",
  code: "Code",
  copy: { ready: "Copy", copied: "Copied", failed: "Failed" },
  table: "Table",
  image: "Image",
  enlarge: "Enlarge the image",
  callout: { note: "Note", tip: "Tip", warning: "Warning", danger: "Danger" },
  embed: {
    title: "A video on {{provider}}",
    play: "Watch the video on {{provider}}",
    privacy: "The video is loaded from another site, which will learn of your visit.",
    open: "Open on {{provider}}",
  },
  download: "Download",
  fileSize_b: "{{value, number}} B",
  fileSize_kb: "{{value, number}} KB",
  fileSize_mb: "{{value, number}} MB",
  fileSize_gb: "{{value, number}} GB",
};
