import type { CourseRole } from "../api/schema.generated";

/** The owner and teachers: they hide, pin, lock, move and delete, change settings, and see reports and who is anonymous. */
export const mayModerate = (role: CourseRole): boolean => role === "OWNER" || role === "TEACHER";
/** Those who answer as staff. */
export const isStaff = (role: CourseRole): boolean => mayModerate(role) || role === "EDITOR";
