import { ApiError } from "../api/apiError";
import { failureText } from "../ui/toasts";

/** Returns why the server refused a change of one field, in words. */
export const reasonOf = (error: unknown): string =>
  ApiError.from(error).fields.values().next().value ?? failureText(error);
