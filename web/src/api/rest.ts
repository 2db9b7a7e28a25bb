import { i18n } from "../i18n";
import { ApiError } from "./apiError";
import { token } from "./session";

/** Signs in over the REST login form: besides file transfers, the only call that does not use GraphQL. */
export async function login(email: string, password: string): Promise<string> {
  const url = "/api/v1/login/access-token";
  const body = new URLSearchParams({ username: email, password });
  const response = await fetch(url, {
    method: "POST",
    body,
    credentials: "include",
    headers: { Authorization: `Bearer ${token()}`, "Accept-Language": i18n.language },
  }).catch((error: unknown) => {
    throw ApiError.from(error, url);
  });
  if (!response.ok) throw await ApiError.fromResponse(response);
  const answer: { access_token: string } = await response.json();
  return answer.access_token;
}
