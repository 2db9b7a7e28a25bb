/** The hash of the home screen's address that moves the focus to the code field. */
export const ENROLL_HASH = "enroll";
