import { afterEach, describe, expect, test } from "vitest";
import { endRejectedSession, GUEST_KEY, isGuest, storeToken, token } from "../api/session";
import { doorOf } from "./door";
import { shownAddress } from "./guestAddress";
import { claimGuest, forgetMerged, guestToMerge, hasFormerGuest, storeGuest, subjectOf } from "./guestToken";
import { tokenOf } from "./testing";

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe("the session of a guest", () => {
  test("is one until an account signs in", () => {
    expect(isGuest()).toBe(false);
    storeGuest(tokenOf("guest"));
    expect(isGuest()).toBe(true);
    storeToken(tokenOf("anna"));
    expect(isGuest()).toBe(false);
  });

  test("goes on after a 403, which only says that something takes an account, and ends after a 401", () => {
    storeGuest(tokenOf("guest"));
    endRejectedSession(token(), 403);
    expect(isGuest()).toBe(true);
    endRejectedSession(token(), 401);
    expect(token()).toBe("");
    // The sign-in screen says what happened.
    expect(localStorage.getItem(GUEST_KEY)).not.toBeNull();
  });

  test("of an account still ends after a 403", () => {
    storeToken(tokenOf("anna"));
    endRejectedSession(token(), 403);
    expect(token()).toBe("");
  });
});

describe("a former guest", () => {
  test("waits for the account that signed in, and for nobody else", () => {
    storeGuest(tokenOf("guest"));
    expect(hasFormerGuest()).toBe(false);
    claimGuest();
    expect(guestToMerge()).toBeNull();
    storeToken(tokenOf("anna"));
    expect(hasFormerGuest()).toBe(true);
    claimGuest();
    expect(guestToMerge()).toBe(tokenOf("guest"));
    storeToken(tokenOf("boris"));
    expect(guestToMerge()).toBeNull();
    claimGuest();
    storeToken(tokenOf("anna"));
    expect(guestToMerge()).toBe(tokenOf("guest"));
    forgetMerged(tokenOf("guest"));
    expect(hasFormerGuest()).toBe(false);
  });

  test("is forgotten only by name", () => {
    storeGuest(tokenOf("guest"));
    storeToken(tokenOf("anna"));
    claimGuest();
    forgetMerged(tokenOf("another"));
    expect(guestToMerge()).toBe(tokenOf("guest"));
  });

  test("that cannot be read is none", () => {
    localStorage.setItem("guest_to_merge", "{");
    storeToken(tokenOf("anna"));
    expect(guestToMerge()).toBeNull();
  });
});

test.each([
  [tokenOf("anna"), "anna"],
  ["a.b.c", ""],
  ["", ""],
])("the person of the token %s is «%s»", (given, subject) => expect(subjectOf(given)).toBe(subject));

test.each([
  ["/join/c1", { courseId: "c1", isAtOnce: false }],
  ["/join/c1?guest=1", { courseId: "c1", isAtOnce: true }],
  ["/?code=ABCD-2345", { shareCode: "ABCD-2345" }],
  ["/?code=12345678", { shareCode: "12345678" }],
  ["/", null],
  ["/join/c1/more", null],
  ["/view-course/c1?code=ABCD-2345", null],
])("%s leads to %j", (path, door) => expect(doorOf(path)).toEqual(door));

test("staff see no made-up addresses", () => {
  expect(shownAddress("guest-0123456789ab@guest.example", "гость")).toBe("гость");
  expect(shownAddress("guest@example.com", "гость")).toBe("guest@example.com");
});
