import { createFileRoute } from "@tanstack/react-router";
import { SignupForm } from "../../auth/SignupForm";

export const Route = createFileRoute("/_public/signup")({
  component: SignupForm,
});
