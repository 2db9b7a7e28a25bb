import type { join as ru } from "../ru/join";

/** Texts of enrolling from a link or the public page of a course, and of guests. */
export const join: typeof ru = {
  title: "Enrolling in a course",
  opening: "Opening the course…",
  start: "Start",
  consent: "The team of the course will see your name, your email and what you have completed.",
  closed: "Enrollment has ended.",
  done: "You are enrolled in “{{course}}”.",
  invitation: {
    title: "You are invited to a course",
    text: "The code is {{code}}. Join, and the course opens at once.",
    other: "Enter another code",
  },
  guest: {
    or: "or",
    start: "Continue without an account",
    about:
      "You can start “{{course}}” right away. Your progress is kept on this device, and moves to your account when you sign up.",
    goOn: "Continue without an account",
    failed: "The course could not be started",
    consent: "The team of the course will see what you have completed.",
    noticeLabel: "You are a guest",
    notice: "You are learning as a guest. Sign up to keep your progress.",
    signUp: "Sign up",
    signIn: "Log in",
    needed: {
      title: "This takes an account",
      text: "Sign up or log in to open this page. Everything you have done as a guest is kept.",
    },
    logOut: {
      title: "Log out and lose your progress?",
      text: "You are learning as a guest. If you log out, everything you have done on this device is lost. Sign up, and your progress moves to your account.",
      confirm: "Log out",
    },
    merged: "Your progress as a guest has been moved.",
    mergedBeyond_one:
      "Your progress as a guest has been moved, {{count, number}} attempt beyond the limit does not count.",
    mergedBeyond_few:
      "Your progress as a guest has been moved, {{count, number}} attempts beyond the limit do not count.",
    mergedBeyond_many:
      "Your progress as a guest has been moved, {{count, number}} attempts beyond the limit do not count.",
    mergedBeyond_other:
      "Your progress as a guest has been moved, {{count, number}} attempts beyond the limit do not count.",
  },
};
