import { createFileRoute } from "@tanstack/react-router";
import { loadTexts } from "../../i18n";
import { JoinCourse } from "../../public-page/JoinCourse";

/** The address of the button on the public page of a course. */
export const Route = createFileRoute("/_app/join/$courseId")({
  loader: () => loadTexts("join"),
  component: function JoinRoute() {
    const { courseId } = Route.useParams();
    return <JoinCourse key={courseId} courseId={courseId} />;
  },
});
