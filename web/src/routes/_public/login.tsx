import { createFileRoute } from "@tanstack/react-router";
import { LoginScreen } from "../../auth/LoginScreen";

export const Route = createFileRoute("/_public/login")({
  component: LoginScreen,
});
