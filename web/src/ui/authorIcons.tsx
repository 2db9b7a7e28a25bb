import { icon } from "./icon";

/** Icons that the home screen needs for authors. Separate from the other icons of the first load, because the reading screen needs none of them. */

export const IconTrash = icon(
  <path d="M3.5 5.5h13M8 5.5V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.5M5.2 5.5l.7 10a1.5 1.5 0 0 0 1.5 1.4h5.2a1.5 1.5 0 0 0 1.5-1.4l.7-10M8.5 9v4.5M11.5 9v4.5" />,
);
export const IconUpload = icon(
  <path d="M10 13V4M6.5 7.2 10 3.7l3.5 3.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2" />,
);
export const IconPencil = icon(<path d="m12.2 4.8 3 3L7 16l-3.6.6L4 13Zm-1.6 1.6 3 3" />);
