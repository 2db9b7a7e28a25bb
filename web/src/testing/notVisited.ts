/** The reason why a page that was not visited is not completed. */
export const notVisited = {
  __typename: "Reason" as const,
  kind: "NOT_VISITED" as const,
  bestPercent: null,
  attemptsLeft: null,
  isWaiting: false,
  isReturned: false,
};
