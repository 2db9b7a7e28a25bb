/** The times of a part of a course without dates. */
export const openTimes = {
  __typename: "Timeline" as const,
  state: "OPEN" as const,
  opensAt: null,
  closesAt: null,
  dueAt: null,
  needs: [] as string[],
};
