import { icon } from "./icon";

/** The icons of screens that are not opened first: authoring, administration and the command palette. */

export const IconGrip = icon(
  <path d="M7.5 5h0M12.5 5h0M7.5 10h0M12.5 10h0M7.5 15h0M12.5 15h0" strokeWidth="2.4" />,
);
export const IconLock = icon(
  <path d="M5.5 9h9A1.5 1.5 0 0 1 16 10.5v5A1.5 1.5 0 0 1 14.5 17h-9A1.5 1.5 0 0 1 4 15.5v-5A1.5 1.5 0 0 1 5.5 9ZM6.8 9V6.2a3.2 3.2 0 0 1 6.4 0V9" />,
);
export const IconWarning = icon(<path d="M10 3.2 17.5 16h-15ZM10 8.2v3.6M10 13.8h0" />);
export const IconImage = icon(
  <>
    <rect x="3" y="4" width="14" height="12" rx="2" />
    <circle cx="7.2" cy="8" r="1.2" />
    <path d="m4 14 4-3.5 2.5 2L13.5 9l3.2 3.2" />
  </>,
);
export const IconPeople = icon(
  <>
    <circle cx="7.5" cy="7" r="2.8" />
    <path d="M2.5 16c.3-3 2.3-4.5 5-4.5s4.7 1.5 5 4.5M12.6 4.5a2.8 2.8 0 0 1 0 5M14.5 11.8c1.8.5 2.9 1.9 3 4.2" />
  </>,
);
export const IconPage = icon(<path d="M5 3h6.5L15 6.5V17H5ZM11.5 3v3.5H15M7.5 10h5M7.5 13h5" />);
export const IconHistory = icon(<path d="M3.8 7A7 7 0 1 1 3 10.5M3.5 3.5V7H7M10 6.5V10l2.5 1.8" />);
export const IconDownload = icon(
  <path d="M10 3.7V13M6.5 9.6l3.5 3.5 3.5-3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2" />,
);
export const IconRepeat = icon(
  <path d="M4 8.5a6.2 6.2 0 0 1 11-2.2M15.5 3v3.5H12M16 11.5a6.2 6.2 0 0 1-11 2.2M4.5 17v-3.5H8" />,
);
export const IconUp = icon(<path d="M10 15.5v-11M5.5 9 10 4.5 14.5 9" />);
export const IconDown = icon(<path d="M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5" />);
export const IconList = icon(<path d="M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.8 5.5h0M3.8 10h0M3.8 14.5h0" />);
export const IconCode = icon(<path d="m7 6-4 4 4 4M13 6l4 4-4 4" />);
export const IconGlobe = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M3 10h14M10 3c2 2 3 4.4 3 7s-1 5-3 7c-2-2-3-4.4-3-7s1-5 3-7Z" />
  </>,
);
export const IconLesson = icon(
  <path d="M3.5 5h5A1.5 1.5 0 0 1 10 6.5V16a2 2 0 0 0-2-1.5H3.5ZM16.5 5h-5A1.5 1.5 0 0 0 10 6.5V16a2 2 0 0 1 2-1.5h4.5Z" />,
);
export const IconLink = icon(
  <path d="M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.25 3.25 0 0 0-4.6-4.6l-.9.9M11.5 8.5a3.2 3.2 0 0 0-4.6 0l-2.6 2.6a3.25 3.25 0 0 0 4.6 4.6l.9-.9" />,
);
export const IconReturn = icon(<path d="M8 5 4 9l4 4M4 9h8a4 4 0 0 1 4 4v2.5" />);
export const IconSidebar = icon(
  <path d="M5 3.8h10A1.8 1.8 0 0 1 16.8 5.6v8.8A1.8 1.8 0 0 1 15 16.2H5a1.8 1.8 0 0 1-1.8-1.8V5.6A1.8 1.8 0 0 1 5 3.8ZM8 3.8v12.4" />,
);
export const IconContents = icon(<path d="M3.5 5.5h13M3.5 10h8M3.5 14.5h10.5" />);
