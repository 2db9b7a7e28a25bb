/**
 * What the loader of the home screen fetches together with its texts. It is no part of the screen's chunk, because the reading page, which links to
 * home, does not need it. A lazy component instead would show the courses 300 ms later: React holds back what follows a fallback.
 */
export { HomeDocument, UpcomingDocument } from "./Home.generated";
export { Upcoming } from "./Upcoming";
