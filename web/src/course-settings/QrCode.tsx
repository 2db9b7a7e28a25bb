import { useMemo } from "react";
import { encode } from "uqr";
import classes from "./QrCode.module.css";

/** A QR code of a text. It is dark on white in both themes, because some cameras cannot read an inverted code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg className={classes.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}

/** Returns the dark modules as one SVG path, with the quiet zone that the standard requires. */
function drawn(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { size, path };
}
