import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  begin,
  type Event,
  isSettled,
  MOST_MS,
  QUIET_MS,
  type Saving,
  statusOf,
  step,
  unsaved,
} from "./saving";

/** Runs the events in order; returns the last state and the effects of the last event. */
function following(...events: Event<string>[]) {
  let state: Saving<string> = begin(1);
  let effects: unknown[] = [];
  for (const event of events) ({ state, effects } = step(state, event));
  return { state, effects, status: statusOf(state) };
}

const typed = (text: string, at = 0): Event<string> => ({ type: "changed", text, at });
const due: Event<string> = { type: "due" };
const saved = (version: number): Event<string> => ({ type: "saved", version });
const theirs: Event<string> = { type: "conflicted", stored: { version: 7, text: "theirs" } };
const refused: Event<string> = { type: "refused", refusal: { message: "no", path: null } };

describe("without failures", () => {
  test("a change waits for a pause, is sent and is acknowledged", () => {
    expect(following(typed("a", 100)).effects).toEqual([{ type: "wait", until: 100 + QUIET_MS }]);
    expect(following(typed("a")).status).toBe("saving");
    expect(following(typed("a"), due).effects).toEqual([{ type: "send", text: "a", version: 1 }]);
    const { state } = following(typed("a"), due, saved(2));
    expect(isSettled(state)).toBe(true);
    expect(state.version).toBe(2);
    expect(statusOf(state)).toBe("saved");
  });

  test("uninterrupted typing is saved at intervals", () => {
    const events = Array.from({ length: 20 }, (_, at) => typed(`${at}`, at * 400));
    expect(following(...events).effects).toEqual([{ type: "wait", until: MOST_MS }]);
  });

  test("a change during a save follows it with the new version", () => {
    const on = following(typed("a"), due, typed("ab", 50));
    expect(on.effects).toEqual([]);
    expect(on.status).toBe("saving");
    expect(following(typed("a"), due, typed("ab", 50), saved(2)).effects).toEqual([
      { type: "wait", until: 50 + QUIET_MS },
    ]);
    expect(following(typed("a"), due, typed("ab"), due, saved(2)).effects).toEqual([
      { type: "send", text: "ab", version: 2 },
    ]);
  });

  test("nothing is sent when nothing changed", () => {
    expect(following(due, { type: "reachable" }, saved(3)).state).toEqual(begin(1));
  });
});

describe("without an answer", () => {
  const lost: Event<string> = { type: "unanswered" };
  test("the text is retried with growing delays", () => {
    const delays = [lost, { type: "reachable" } as const, lost, { type: "reachable" } as const, lost];
    const { state, effects } = following(typed("a"), due, ...delays);
    expect(statusOf(state)).toBe("offline");
    expect(effects).toEqual([{ type: "retry", after: 4000 }]);
    expect(unsaved(state)).toBe("a");
  });
  test("the newest text is retried", () => {
    expect(following(typed("a"), due, typed("ab"), lost, { type: "reachable" }).effects).toEqual([
      { type: "send", text: "ab", version: 1 },
    ]);
  });
  test("changes do not shorten the delay, leaving does", () => {
    expect(following(typed("a"), due, lost, typed("ab")).effects).toEqual([]);
    expect(following(typed("a"), due, lost, typed("ab"), due).effects).toEqual([
      { type: "send", text: "ab", version: 1 },
    ]);
  });
});

describe("a conflict", () => {
  test("keeps the author's text and sends nothing until the author has chosen", () => {
    const { state, effects } = following(typed("a"), due, theirs, typed("ab"), due, { type: "reachable" });
    expect(effects).toEqual([]);
    expect(statusOf(state)).toBe("conflict");
    expect(unsaved(state)).toBe("ab");
  });
  test("keeping mine saves over the version that was shown", () => {
    expect(following(typed("a"), due, theirs, { type: "keepMine" }).effects).toEqual([
      { type: "send", text: "a", version: 7 },
    ]);
  });
  test("taking theirs ends it", () => {
    const { state } = following(typed("a"), due, theirs, { type: "takeStored" });
    expect(state).toEqual(begin(7, "theirs"));
  });
  test("a choice without a conflict does nothing", () => {
    const { state } = following(typed("a"), { type: "takeStored" }, { type: "keepMine" });
    expect(unsaved(state)).toBe("a");
  });
});

describe("a refusal", () => {
  test("lasts until the text changes", () => {
    const bad = following(typed("bad"), due, refused, due, { type: "reachable" });
    expect(bad.effects).toEqual([]);
    expect(bad.status).toBe("refused");
    expect(following(typed("bad"), due, refused, typed("good", 9)).effects).toEqual([
      { type: "wait", until: 9 + QUIET_MS },
    ]);
  });
  test("of an older text does not stop the newer one", () => {
    const { effects, state } = following(typed("bad"), due, typed("good", 5), refused);
    expect(effects).toEqual([{ type: "wait", until: 5 + QUIET_MS }]);
    expect(unsaved(state)).toBe("good");
  });
});

test("signing out keeps the text and sends nothing", () => {
  const { state, effects } = following(typed("a"), due, { type: "signedOut" }, typed("ab"), due);
  expect(effects).toEqual([]);
  expect(statusOf(state)).toBe("ended");
  expect(unsaved(state)).toBe("ab");
});

test("a page with unsaved text is not replaced", () => {
  expect(unsaved(following(typed("a"), { type: "replaced", version: 9, text: "restored" }).state)).toBe("a");
  expect(following({ type: "replaced", version: 9, text: "restored" }).state.version).toBe(9);
});

describe("events in any order", () => {
  const happening = fc.oneof(
    { weight: 5, arbitrary: fc.constant("type" as const) },
    { weight: 3, arbitrary: fc.constant("due" as const) },
    { weight: 4, arbitrary: fc.constant("answer" as const) },
    { weight: 2, arbitrary: fc.constant("loseAnswer" as const) },
    { weight: 2, arbitrary: fc.constant("loseRequest" as const) },
    { weight: 2, arbitrary: fc.constant("reachable" as const) },
    { weight: 1, arbitrary: fc.constant("stranger" as const) },
    { weight: 1, arbitrary: fc.constant("keepMine" as const) },
    { weight: 1, arbitrary: fc.constant("takeStored" as const) },
    { weight: 1, arbitrary: fc.constant("refuse" as const) },
  );

  /** One editor, and a server that checks versions except for consecutive saves of the same editor. */
  function play(happenings: readonly (typeof happening extends fc.Arbitrary<infer H> ? H : never)[]) {
    const server = { version: 1, text: "", by: "nobody", saves: 0 };
    let state: Saving<string> = begin(1, "");
    let flying: { text: string; version: number } | null = null;
    let newest = "";
    let clock = 0;
    let givenUp = false;
    const dispatch = (event: Event<string>) => {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) {
        if (effect.type !== "send") continue;
        expect(flying, "one save at a time").toBeNull();
        flying = effect;
      }
      expect(state.inFlight).toBe(flying?.text ?? null);
      // The guarantee: the author's last text is on the server, in flight, pending, or knowingly discarded.
      if (!givenUp) expect(unsaved(state) ?? server.text).toBe(newest);
      if (state.stored !== null && state.version === server.version) expect(state.stored).toBe(server.text);
    };
    const arrive = (): Event<string> => {
      const { text, version } = flying as { text: string; version: number };
      if (version !== server.version && server.by !== "me") {
        return { type: "conflicted", stored: { version: server.version, text: server.text } };
      }
      Object.assign(server, { version: server.version + 1, text, by: "me", saves: server.saves + 1 });
      return { type: "saved", version: server.version };
    };
    const land = (event: Event<string>) => {
      flying = null;
      dispatch(event);
    };
    const one = (happening: (typeof happenings)[number]) => {
      clock += 300;
      switch (happening) {
        case "type":
          newest = `${newest}x`;
          givenUp = false;
          return dispatch({ type: "changed", text: newest, at: clock });
        case "due":
        case "reachable":
        case "keepMine":
          return dispatch({ type: happening });
        case "answer":
          return flying && land(arrive());
        case "loseAnswer":
          if (flying) arrive();
          return flying && land({ type: "unanswered" });
        case "loseRequest":
          return flying && land({ type: "unanswered" });
        case "refuse":
          return flying && land({ type: "refused", refusal: { message: "no", path: null } });
        case "stranger":
          // Another editor reads the newest text and saves over it.
          if (isSettled(state)) return;
          Object.assign(server, { version: server.version + 1, text: "stranger", by: "stranger" });
          return;
        case "takeStored":
          if (state.problem?.kind !== "conflict") return;
          givenUp = true;
          newest = state.problem.stored.text;
          return dispatch({ type: "takeStored" });
      }
    };
    for (const happening of happenings) one(happening);
    // Then all failures end: the author chooses, the server answers, and everything is saved.
    for (let round = 0; round < 6 && !isSettled(state); round += 1) {
      dispatch({ type: "reachable" });
      dispatch({ type: "keepMine" });
      if (state.problem?.kind === "refused") dispatch({ type: "changed", text: newest, at: clock });
      dispatch({ type: "due" });
      if (flying) land(arrive());
    }
    expect(isSettled(state)).toBe(true);
    if (!givenUp && newest !== "") expect(server.text).toBe(newest);
  }

  test("lose no text, with at most one save in flight", () => {
    fc.assert(fc.property(fc.array(happening, { maxLength: 60 }), play), { numRuns: 1000 });
  }, 60_000);
});
