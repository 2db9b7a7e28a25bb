/** The kinds of call-outs, in the order in which the editor offers them. */
export const CALLOUT_KINDS = ["note", "tip", "warning", "danger"] as const;
export type CalloutKind = (typeof CALLOUT_KINDS)[number];

/** SVG paths of their icons, on a grid of 24 units. */
export const CALLOUT_ICONS: Record<CalloutKind, string> = {
  note: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 11v5M12 8v.01",
  tip: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.5.4.6 1 .6 1.7h6c0-.7.1-1.3.6-1.7A6 6 0 0 0 12 3",
  warning: "M12 4 2.8 20h18.4zM12 10v4M12 17v.01",
  danger: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 8v4M12 16v.01",
};
