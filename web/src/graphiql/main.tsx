// GraphiQL at /graphiql: a separate entry point, so that the app's bundle contains none of it.
import "./workers";
import "@graphiql/react/style.css";
import "@graphiql/plugin-doc-explorer/style.css";
import "@graphiql/plugin-history/style.css";
import "graphiql/graphiql.css";
import "../ui/fonts.css";
import "../ui/monoFont.css";
import "../ui/tokens.css";
import "./colours.css";
import "./layout.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Playground } from "./Playground";

document.documentElement.lang = localStorage.getItem("language") === "en" ? "en" : "ru";
const root = document.getElementById("root");
if (!root) throw new Error("graphiql.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Playground />
  </StrictMode>,
);
