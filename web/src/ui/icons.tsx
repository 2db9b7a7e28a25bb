import { icon } from "./icon";

/** The icons of the screens that are opened first; `laterIcons.tsx` has the others. */

export const IconMenu = icon(<path d="M3 6h14M3 10h14M3 14h9" />);
export const IconClose = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const IconChevron = icon(<path d="m8 5 5 5-5 5" />);
export const IconCheck = icon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />);
export const IconCopy = icon(
  <>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 4.5A1.5 1.5 0 0 0 11.5 3.5H5A1.5 1.5 0 0 0 3.5 5v6.5A1.5 1.5 0 0 0 4.5 13" />
  </>,
);
export const IconSun = icon(
  <>
    <circle cx="10" cy="10" r="3.4" />
    <path d="M10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M4.7 15.3l1.1-1.1M14.2 5.8l1.1-1.1" />
  </>,
);
export const IconMoon = icon(<path d="M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z" />);
export const IconBooks = icon(
  <>
    <path d="M3.5 4v12M7.5 4v12M3.5 16h4M3.5 4h4" />
    <path d="m11 4.6 3-.8 2.7 11.4-3 .8Z" />
  </>,
);
export const IconShield = icon(<path d="M10 2.8 4 5v4.6c0 3.6 2.5 6.4 6 7.6 3.5-1.2 6-4 6-7.6V5Z" />);
export const IconSliders = icon(
  <>
    <path d="M3 6h7M14 6h3M3 14h3M10 14h7" />
    <circle cx="12" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </>,
);
export const IconLeave = icon(
  <path d="M8 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h3M13 6.5l3.5 3.5-3.5 3.5M16.5 10H8" />,
);
export const IconUpDown = icon(<path d="m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5" />);
export const IconOffline = icon(
  <path d="m3 3 14 14M2.5 8a11 11 0 0 1 4-2.4M17.5 8a11 11 0 0 0-7-3M5.5 11.2a7 7 0 0 1 3-1.6M14.5 11.2l-1-.7M10 15.2h0" />,
);
export const IconQuiz = icon(
  <>
    <path d="M7.6 7.4a2.5 2.5 0 1 1 3.7 2.2c-.8.4-1.3.9-1.3 1.7v.4" />
    <path d="M10 14.6h0" />
    <circle cx="10" cy="10" r="7.2" />
  </>,
);
export const IconAssignment = icon(<path d="M7 4.5H5V17h10V4.5h-2M7 3h6v3H7Zm.5 8.2 1.8 1.8 3.2-3.6" />);
export const IconBell = icon(
  <path d="M5.5 8.5a4.5 4.5 0 0 1 9 0c0 4 1.5 5 1.5 5H4s1.5-1 1.5-5ZM8.3 16.2a1.9 1.9 0 0 0 3.4 0" />,
);
export const IconPlus = icon(<path d="M10 4v12M4 10h12" />);
export const IconDots = icon(<path d="M4.5 10h0M10 10h0M15.5 10h0" strokeWidth="2.4" />);
export const IconSearch = icon(
  <>
    <circle cx="9" cy="9" r="5.2" />
    <path d="m13 13 3.8 3.8" />
  </>,
);
export const IconEye = icon(
  <>
    <path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Z" />
    <circle cx="10" cy="10" r="2.2" />
  </>,
);
