import { icon } from "./icon";

/** The icons of dates. They are separate from the other later ones because home loads them first. */

export const IconClock = icon(
  <>
    <circle cx="10" cy="10" r="7.2" />
    <path d="M10 6v4.2l2.8 1.6" />
  </>,
);
export const IconCalendar = icon(
  <path d="M5 4.5h10A1.5 1.5 0 0 1 16.5 6v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V6A1.5 1.5 0 0 1 5 4.5ZM3.5 8.5h13M7 2.8v3M13 2.8v3" />,
);
export const IconOverdue = icon(
  <>
    <circle cx="10" cy="10" r="7.2" />
    <path d="M10 6v4.8M10 13.8h0" />
  </>,
);
