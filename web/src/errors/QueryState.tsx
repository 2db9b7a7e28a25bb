import type { ComponentProps, ReactNode } from "react";
import { LoadFailure } from "./LoadFailure";

interface Props extends Omit<ComponentProps<typeof LoadFailure>, "error"> {
  /** The error of the query, if it has failed. */
  error: unknown;
  /** The skeleton that is shown while the query is under way. */
  loading: ReactNode;
}

/** Stands in for the data of a query that has not answered: its skeleton, or its failure with a retry button. */
export function QueryState({ error, loading, ...failure }: Props) {
  return error ? <LoadFailure error={error} {...failure} /> : loading;
}
