import type { Part } from "./match";

/** A snippet with its matches marked. */
export function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, matched }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    matched ? <mark key={index}>{text}</mark> : text,
  );
}
