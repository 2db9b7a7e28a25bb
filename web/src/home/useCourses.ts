import { useQuery } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { hiddenItems } from "../ui/hiddenItems";
import { HomeDocument, type HomeQuery } from "./Home.generated";

/** Loads all enrolled and taught courses in requests of 100. Courses whose deletion can still be undone are left out. */
export function useCourses() {
  const { data, error, refetch, fetchMore } = useQuery(HomeDocument);
  const hidden = useSelector(hiddenItems);
  const learning = data?.myEnrollments;
  const teaching = data?.myCourses;
  const learningAfter = learning?.pageInfo.hasNextPage ? learning.pageInfo.endCursor : null;
  const teachingAfter = teaching?.pageInfo.hasNextPage ? teaching.pageInfo.endCursor : null;
  useEffect(() => {
    if (learningAfter === null && teachingAfter === null) return;
    fetchMore({
      variables: { learningAfter, teachingAfter },
      updateQuery: (before, { fetchMoreResult }) => ({
        myEnrollments: learningAfter
          ? longer(before.myEnrollments, fetchMoreResult.myEnrollments)
          : before.myEnrollments,
        myCourses: teachingAfter ? longer(before.myCourses, fetchMoreResult.myCourses) : before.myCourses,
      }),
    }).catch(() => {
      // The loaded part is shown; the next visit fetches the rest.
    });
  }, [fetchMore, learningAfter, teachingAfter]);
  return {
    error,
    refetch,
    learning: learning?.nodes.filter(({ course }) => !hidden.has(course.id)),
    teaching: teaching?.nodes.filter(({ id }) => !hidden.has(id)),
  };
}

function longer<T extends HomeQuery["myEnrollments"] | HomeQuery["myCourses"]>(before: T, more: T): T {
  const known = new Set(before.nodes.map((node) => node.id));
  const added = (more.nodes as readonly { id: string }[]).filter(({ id }) => !known.has(id));
  return { ...more, nodes: [...before.nodes, ...added] };
}
