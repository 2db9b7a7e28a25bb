/**
 * The tabs of the course editor, the first of which has no name in the address. Apart from the screen, which is loaded when
 * it is opened: reading the address is not.
 */
export const TABS = ["contents", "students", "settings"] as const;
export type Tab = (typeof TABS)[number];
