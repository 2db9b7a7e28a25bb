import { createStore, useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { GRAPHQL_URL } from "../api/apiError";
import { token } from "../api/session";

/** The identity of the requests: the signed-in user, or anonymous when switched off. */
interface Identity {
  email: string | null;
  /** Whether the session's token is added to the requests. */
  offered: boolean;
}

const store = createStore<Identity>({ email: null, offered: true });

function change(next: Partial<Identity>) {
  store.setState((identity) => ({ ...identity, ...next }));
}

export function offerToken(offered: boolean) {
  change({ offered });
}

/** Returns the token of a request, or an empty string. */
export function offeredToken(): string {
  return store.get().offered ? token() : "";
}

async function learnEmail() {
  const asked = token();
  const answer = asked === "" ? null : await whoIs(asked);
  if (asked === token()) change({ email: answer });
}

async function whoIs(token: string): Promise<string | null> {
  const response = await fetch(GRAPHQL_URL, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: "{ me { email } }" }),
  }).catch(() => null);
  const body: { data?: { me: { email: string } } | null } | undefined = await response
    ?.json()
    .catch(() => undefined);
  return body?.data?.me.email ?? null;
}

/** Returns the current identity, updated by sign-ins and sign-outs in other tabs. */
export function useIdentity(): Identity {
  useEffect(() => {
    const onStorage = () => void learnEmail();
    onStorage();
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, []);
  return useSelector(store);
}
