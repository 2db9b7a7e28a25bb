import { createFileRoute } from "@tanstack/react-router";
import { LoginForm } from "../../auth/LoginForm";

export const Route = createFileRoute("/_public/login")({
  component: LoginForm,
});
