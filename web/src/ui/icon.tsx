import type { ReactNode } from "react";

/** Line icons on a 20-unit grid in the current text colour. Each use needs a text alternative beside it. */
export function icon(paths: ReactNode) {
  return function Icon({ size = 20, className }: { size?: number; className?: string }) {
    return (
      <svg
        aria-hidden="true"
        className={className}
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {paths}
      </svg>
    );
  };
}
