import { useEffect, useRef } from "react";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { Bar } from "../developer-bar/Bar";
import { offeredToken } from "../developer-bar/identity";
import { useTheme } from "../ui/theme";

/** The OpenAPI document of this server, to read and to try out. Requests are sent as the signed-in user. */
export function Documentation() {
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  // The library's style sheet has rules for this class.
  useEffect(() => {
    document.documentElement.classList.toggle("dark-mode", theme === "dark");
  }, [theme]);
  useEffect(() => {
    // Swagger UI fills an element of its own: StrictMode runs this twice.
    const domNode = document.createElement("div");
    place.current?.replaceChildren(domNode);
    SwaggerUI({
      domNode,
      url: "/api/v1/openapi.json",
      deepLinking: true,
      filter: true,
      displayRequestDuration: true,
      // Each operation shows the schemas it needs; the list of all is closed at first.
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      requestInterceptor: withToken,
    });
  }, []);
  return (
    <>
      <Bar title="REST" other={{ title: "GraphiQL", href: "/graphiql" }} />
      {/* The document is in English. */}
      <div ref={place} lang="en" />
    </>
  );
}

interface Sent {
  url: string;
  headers: Record<string, string>;
}

/** Adds the session's token to requests to this server, unless another one was entered under "Authorize". */
function withToken(request: Sent): Sent {
  const token = offeredToken();
  const isOwn = new URL(request.url, window.location.href).origin === window.location.origin;
  if (isOwn && token && !request.headers.Authorization) request.headers.Authorization = `Bearer ${token}`;
  return request;
}
