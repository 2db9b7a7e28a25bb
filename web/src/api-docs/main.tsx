// The documentation of the REST API at /docs: Swagger UI below the developers' bar, a separate entry point.
import "../ui/fonts.css";
import "../ui/monoFont.css";
import "../ui/tokens.css";
import "./api-docs.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followOtherTabs } from "../ui/theme";
import { Documentation } from "./Documentation";

document.documentElement.lang = localStorage.getItem("language") === "en" ? "en" : "ru";
followOtherTabs();
const root = document.getElementById("root");
if (!root) throw new Error("api-docs.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Documentation />
  </StrictMode>,
);
