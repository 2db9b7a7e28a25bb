import { icon } from "../ui/icon";

/** A sheet with a seal. */
export const IconCertificate = icon(
  <path d="M8 14.5H4.5A1.5 1.5 0 0 1 3 13V5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v3M6 7.5h7M6 10.5h3.5M13.5 15a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM12 14.6V18l1.5-1 1.5 1v-3.4" />,
);
