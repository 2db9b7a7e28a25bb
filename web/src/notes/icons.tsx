import { icon } from "../ui/icon";

export const IconBookmark = icon(<path d="M5.5 3.5h9V17L10 13.6 5.5 17Z" />);
export const IconBookmarked = icon(<path d="M5.5 3.5h9V17L10 13.6 5.5 17Z" fill="currentColor" />);
export const IconNotes = icon(<path d="M4 3.5h12v9L11.5 17H4ZM16 12.5h-4.5V17M7 7h6M7 10h4" />);
