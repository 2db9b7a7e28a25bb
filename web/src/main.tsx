import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Button.css";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { ApolloProvider } from "@apollo/client/react";
import { MantineProvider } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client";
import { onSessionEnd } from "./api/session";
import { reloadOnceWhenAScreenFailsToLoad } from "./errors/preloadError";
import { startI18n } from "./i18n";
import { createAppRouter } from "./router";
import { colorScheme, cssVariables, theme } from "./ui/theme";

reloadOnceWhenAScreenFailsToLoad();
await startI18n();

const client = createClient();
const router = createAppRouter(client);

onSessionEnd(() => {
  void router.navigate({ to: "/login" });
  // Nothing of one account may be seen by the next.
  void client.clearStore();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="light"
    >
      <ApolloProvider client={client}>
        <RouterProvider router={router} />
      </ApolloProvider>
    </MantineProvider>
  </StrictMode>,
);
