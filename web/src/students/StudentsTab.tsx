import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { withTexts } from "../i18n";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import OverridesView from "../overrides/OverridesView";
import { ListSkeleton } from "../ui/Skeletons";
import { ClassViews } from "./ClassViews";
import { GroupFilter } from "./GroupFilter";
import classes from "./Groups.module.css";
import { GroupsView } from "./GroupsView";
import { HeatMap } from "./HeatMap";
import { isOrder, type Order } from "./order";
import { StudentDetail } from "./StudentDetail";
import { StudentsList } from "./StudentsList";
import { isState, type State } from "./state";
import { knownGroup, mayGroup, useGroups } from "./useGroups";

/** Loaded for the analysis of a quiz alone. */
const QuizAnalysis = lazy(() => withTexts(import("../analysis/QuizAnalysis"), "analysis"));
const IssuedCertificates = lazy(() => import("../certificates/IssuedCertificates"));

/** The views that show the students of one group, or of all. */
const BY_GROUP: ReadonlySet<StudentsSearch["view"]> = new Set([undefined, "map", "analysis"] as const);

export interface StudentsSearch {
  /** The enrollment of the student shown; without it the tab shows the class. */
  student?: string;
  /** Search text: part of a name or an email. */
  search?: string;
  order?: Order;
  /** The id of the group whose students are shown, or `none` for those without one. */
  group?: string;
  /** Only students in this state. */
  state?: State;
  /** Shows the course map, the analysis of a quiz, the groups, the overrides or the certificates instead of the list. */
  view?: "map" | "analysis" | "groups" | "overrides" | "certificates";
  /** The id of the quiz that is analysed, or of the part whose overrides are shown. */
  part?: string;
}

const VIEWS = ["map", "analysis", "groups", "overrides", "certificates"] as const;

/** Whether a view is of a part of the course. */
const isOfPart = (view: StudentsSearch["view"]) => view === "overrides" || view === "analysis";

/** The look that an address asks for, without what this tab does not know. */
function lookOf({ order, state, view, part, ...look }: Look): StudentsSearch {
  // There is no analysis without a quiz.
  const known = VIEWS.find((one) => one === view && (one !== "analysis" || part));
  return {
    ...look,
    ...(isOrder(order) && { order }),
    ...(isState(state) && { state }),
    ...(known && { view: known }),
    ...(isOfPart(known) && part && { part }),
  };
}

/** The students tab of a course: the class list, the course map, the groups, or one student. */
export default function StudentsTab({ course, look: given }: { course: Course; look: Look }) {
  const look = lookOf(given);
  const navigate = useNavigate();
  const show = (changed: StudentsSearch, replace = true) => {
    const search = { ...look, ...changed };
    void navigate({
      to: "/edit-course/$courseId",
      params: { courseId: course.id },
      search: {
        tab: "students",
        ...(search.student && { student: search.student }),
        ...(search.search && { search: search.search }),
        ...(search.order && search.order !== "name" && { order: search.order }),
        ...(search.group && { group: search.group }),
        ...(search.state && { state: search.state }),
        ...(search.view && { view: search.view }),
        ...(isOfPart(search.view) && search.part && { part: search.part }),
      },
      replace,
      resetScroll: false,
    });
  };
  if (look.student) {
    return (
      <StudentDetail
        key={look.student}
        course={course}
        enrollmentId={look.student}
        onBack={() => show({ student: undefined })}
      />
    );
  }
  return <ClassTab course={course} look={look} show={show} />;
}

interface ClassProps {
  course: Course;
  look: StudentsSearch;
  show: (changed: StudentsSearch) => void;
}

function ClassTab({ course, look, show }: ClassProps) {
  const [changes, setChanges] = useState(0);
  const onChange = useCallback(() => setChanges((before) => before + 1), []);
  const { groups, error, reload } = useGroups(course.id, onChange);
  const group = knownGroup(look.group, groups);
  if (error && !groups) return <LoadFailure error={error} retry={reload} heading="h2" />;
  return (
    <>
      <div className={classes.bar}>
        <ClassViews courseId={course.id} look={look} />
        {BY_GROUP.has(look.view) && groups && groups.length > 0 && (
          <GroupFilter groups={groups} value={group} onChange={(group) => show({ group })} />
        )}
      </div>
      {look.view === "map" && <HeatMap course={course} group={group} />}
      {look.view === "analysis" && look.part && (
        <Suspense fallback={<ListSkeleton rows={8} height="3rem" />}>
          <QuizAnalysis key={look.part} course={course} pageId={look.part} group={group} />
        </Suspense>
      )}
      {look.view === "groups" && <GroupsView course={course} groups={groups} />}
      {look.view === "overrides" && (
        <OverridesView
          course={course}
          mayChange={mayGroup(course)}
          part={look.part}
          onPart={(part) => show({ part })}
        />
      )}
      {look.view === "certificates" && (
        <Suspense fallback={<ListSkeleton rows={6} height="4.5rem" />}>
          <IssuedCertificates
            course={course}
            search={look.search ?? ""}
            onSearch={(search) => show({ search })}
          />
        </Suspense>
      )}
      {look.view === undefined && (
        <StudentsList
          course={course}
          look={look}
          groups={groups ?? []}
          group={group}
          changes={changes}
          show={show}
        />
      )}
    </>
  );
}
