import { icon } from "../ui/icon";

export const IconPin = icon(<path d="m12 3 5 5-2.4.6-3 3 .1 3.4-6.7-6.7 3.4.1 3-3ZM8.3 11.7 3.5 16.5" />);
