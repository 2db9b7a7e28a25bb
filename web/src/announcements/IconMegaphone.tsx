import { icon } from "../ui/icon";

export const IconMegaphone = icon(
  <path d="M3.5 8.5v3h2.6l7.4 4V4.5l-7.4 4ZM16 7.8c.8.5 1.2 1.3 1.2 2.2s-.4 1.7-1.2 2.2M6.5 11.8l.9 4.2h2" />,
);
