import type { InsertId } from "./inserts";

/** Icons of the editor, on the 20-unit grid of ui/icons. */
const PATHS = {
  bold: "M6 4h4.6a3 3 0 0 1 0 6H6zM6 10h5.4a3 3 0 0 1 0 6H6z",
  italic: "M11.5 4H8.5M11.5 16h-3M11.2 4 8.8 16M13 4h-3M10 16H7",
  underline: "M6 4v5a4 4 0 0 0 8 0V4M5 16.5h10",
  strike:
    "M4 10h12M13.5 6.5C13 5 11.700 4 10 4 8 4 6.500 5 6.500 7M6.500 13.500c.5 1.600 1.900 2.500 3.700 2.500 2 0 3.500-1 3.500-2.800",
  code: "m7 6-4 4 4 4M13 6l4 4-4 4",
  highlight: "m11.500 4.500 4 4-6 6H6l-1-1V11ZM3.500 17h7",
  subscript: "m4 5 7 9M11 5l-7 9M14 13.500c.3-.8 2.500-.8 2.500.6 0 1-2.500 1.700-2.500 3h2.700",
  superscript: "m4 7 7 9M11 7l-7 9M14 3.500c.3-.8 2.500-.8 2.500.6 0 1-2.500 1.700-2.500 3h2.700",
  paragraph: "M4 6h12M4 10h12M4 14h7",
  heading2: "M3.500 5v10M9.500 5v10M3.500 10h6M12.500 9.500c.4-2 4-1.800 4 .4 0 1.700-4 3-4 5.100h4.200",
  heading3:
    "M3.500 5v10M9.500 5v10M3.500 10h6M12.500 9c1.200-1.500 4-1 4 .9 0 1.200-1 1.800-2.200 1.800 1.400 0 2.500.7 2.500 1.900 0 2-3.200 2.300-4.400.7",
  heading4: "M3.500 5v10M9.500 5v10M3.500 10h6M15.500 15V8.500L12.300 13h4.700",
  bulletList: "M8 5.500h8.500M8 10h8.500M8 14.500h8.500M4 5.500h0M4 10h0M4 14.500h0",
  orderedList:
    "M8.500 5.500h8M8.500 10h8M8.500 14.500h8M3.500 4.500l1-.5v3.500M3.500 12.700c.3-.9 1.900-.8 1.900.3 0 .8-1.900 1.500-1.900 2.500h2",
  taskList: "M9.500 6h7M9.500 14h7M3 6l1.500 1.500L7 4.500M3 14l1.500 1.500L7 12.500",
  blockquote: "M4 5v10M8 7h8M8 10h8M8 13h5",
  codeBlock: "M3 4.500h14v11H3zM7 8l-2 2 2 2M10.500 12.500H14",
  image: "M3 4.500h14v11H3zM7 8.500h0M4 14l4-3.500 2.500 2 3-3.200 3.300 3",
  file: "M13.500 9.500 9 14a3 3 0 0 1-4.200-4.200L10 4.500a2 2 0 0 1 2.900 2.900l-5 5a1 1 0 0 1-1.400-1.400l4.300-4.300",
  video: "M3 5h14v10H3zM8.500 8v4l3.500-2z",
  table: "M3 4.500h14v11H3zM3 8.500h14M8 4.500v11M13 8.500v7",
  note: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M10 9.500v4M10 6.700h0",
  tip: "M8 15h4M8.500 17.500h3M10 2.500a5 5 0 0 0-3 9c.5.400.6.9.6 1.500h4.800c0-.6.100-1.100.6-1.500a5 5 0 0 0-3-9",
  warning: "M10 3.200 17.500 16h-15ZM10 8.200v3.600M10 13.800h0",
  danger: "M7 2.800h6L17.200 7v6L13 17.200H7L2.800 13V7ZM10 6.500v4M10 13.300h0",
  details: "m4 6.500 2.500 2.500L9 6.500M11.500 7.500h5M4 13h12.500",
  blockMath: "M14.500 4.500h-9l5 5.500-5 5.500h9",
  inlineMath: "M3 11h1.500l2 4.500 3-11h7M10.500 8.500l4.500 5M15 8.500l-4.500 5",
  pageLink:
    "M8.500 11.500a3 3 0 0 0 4.200 0l3-3a3 3 0 0 0-4.200-4.200l-.8.8M11.500 8.500a3 3 0 0 0-4.200 0l-3 3a3 3 0 0 0 4.200 4.200l.8-.8",
  horizontalRule: "M3 10h14M6 5.500h8M6 14.500h8",
  plus: "M10 4v12M4 10h12",
  trash:
    "M3.500 5.500h13M8 5.500V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.500M5.200 5.500l.7 10a1.500 1.500 0 0 0 1.500 1.400h5.200a1.500 1.500 0 0 0 1.500-1.400l.7-10",
  undo: "M7 4 3.500 7.500 7 11M3.500 7.500h8a4.500 4.500 0 0 1 0 9H7",
  redo: "m13 4 3.500 3.500L13 11M16.500 7.500h-8a4.500 4.500 0 0 0 0 9H13",
} satisfies Record<Exclude<InsertId, never> | string, string>;

export type IconName = keyof typeof PATHS;

export function EditorIcon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
