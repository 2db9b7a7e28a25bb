import { icon } from "../ui/icon";

export const IconUseful = icon(
  <path d="M6.500 9 9.500 3a1.800 1.800 0 0 1 1.700 2.300L10.700 8h4.600a1.500 1.500 0 0 1 1.500 1.800l-1 5.500a1.500 1.500 0 0 1-1.500 1.200H6.500M6.500 9v7.500M6.500 9H3.500v7.500h3" />,
);
export const IconFlag = icon(<path d="M5 17V3.500h9.500l-2 3.500 2 3.500H5" />);
