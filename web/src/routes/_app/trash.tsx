import { createFileRoute } from "@tanstack/react-router";
import { ForAccounts } from "../../guests/ForAccounts";
import { loadTexts } from "../../i18n";
import { DeletedCourses } from "../../trash/DeletedCourses";

export const Route = createFileRoute("/_app/trash")({
  loader: () => loadTexts("home", "trash"),
  component: () => (
    <ForAccounts>
      <DeletedCourses />
    </ForAccounts>
  ),
});
