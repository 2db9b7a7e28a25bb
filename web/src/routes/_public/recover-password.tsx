import { createFileRoute } from "@tanstack/react-router";
import { RecoverForm } from "../../auth/RecoverForm";

export const Route = createFileRoute("/_public/recover-password")({
  component: RecoverForm,
});
