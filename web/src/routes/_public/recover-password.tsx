import { createFileRoute } from "@tanstack/react-router";
import { RecoverForm } from "../../auth/RecoverForm";
import { loadTexts } from "../../i18n";

export const Route = createFileRoute("/_public/recover-password")({
  loader: () => loadTexts("recovery"),
  component: RecoverForm,
});
