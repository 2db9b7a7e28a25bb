import type { ReactNode } from "react";

interface Props {
  size?: number | undefined;
  className?: string | undefined;
}

/** Line icons on a 20-unit grid in the current text colour. Each use needs a text alternative beside it. */
export function icon(paths: ReactNode) {
  return function Icon(props: Props) {
    return <LineIcon {...props}>{paths}</LineIcon>;
  };
}

/** An icon of these paths, for icons that are chosen by name. */
export function LineIcon({ size = 20, className, children }: Props & { children: ReactNode }) {
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
      {children}
    </svg>
  );
}
