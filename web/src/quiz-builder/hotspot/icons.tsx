import { icon } from "../../ui/icon";

/** The icons of the tools that draw zones. */

export const IconSelect = icon(<path d="m5 3.5 4.2 12.2 2-5 5-2Z" />);
export const IconRectangle = icon(<rect x="3.5" y="5" width="13" height="10" rx="1" />);
export const IconEllipse = icon(<ellipse cx="10" cy="10" rx="7" ry="5.2" />);
export const IconPolygon = icon(<path d="m10 3.2 6.8 5-2.6 8H5.8l-2.6-8Z" />);
export const IconUndo = icon(<path d="M7 5 3.5 8.5 7 12M3.8 8.5h7.7a4.2 4.2 0 0 1 0 8.4H8" />);
