import { icon } from "./icon";

/** Separate from the other icons, because among the first screens only those with password fields need it. */
export const IconEyeOff = icon(
  <path d="m3 3 14 14M8 5.3A7.6 7.6 0 0 1 10 5c5 0 7.5 5 7.5 5a12 12 0 0 1-2.3 2.9M12.6 14.5A7.6 7.6 0 0 1 10 15c-5 0-7.5-5-7.5-5a12 12 0 0 1 3-3.4M8.4 8.5a2.2 2.2 0 0 0 3.1 3.1" />,
);
