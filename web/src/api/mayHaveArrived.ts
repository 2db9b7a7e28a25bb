import { ApiError } from "./apiError";

/** Whether a request that failed may have been carried out: no answer came, or only one of a proxy that waited for it in vain. */
export function mayHaveArrived(error: unknown): boolean {
  const { isUnreachable, status } = ApiError.from(error);
  return isUnreachable || status === 502 || status === 504;
}
