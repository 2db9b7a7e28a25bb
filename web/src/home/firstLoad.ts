/**
 * The queries and the section that the loader of the home screen fetches together with its texts. They have a chunk of their own, because the
 * reading page does not need them. They are not lazy components: React would show the courses 300 ms after the fallback.
 */
export { HomeDocument } from "./Home.generated";
export { Upcoming } from "./Upcoming";
export { UpcomingDocument } from "./Upcoming.generated";
