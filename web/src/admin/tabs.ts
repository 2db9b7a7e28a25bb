/** What the administration is about; the first is left out of the address. */
export const TABS = ["users", "courses", "system"] as const;
export type Tab = (typeof TABS)[number];

export interface AdminSearch {
  tab?: Exclude<Tab, "users">;
  page?: number;
  /** Words of a name, an address or a title. */
  search?: string;
}
