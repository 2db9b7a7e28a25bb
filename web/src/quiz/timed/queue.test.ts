import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as rules from "./queue";

const isSendable = (_: string, { number }: { number?: string }) => number !== "-";
const all = () => true;
const give = (queue: rules.Queue, id: string, text: string, at: number) =>
  rules.give(queue, id, { text }, at);
const next = (queue: rules.Queue) => rules.nextBatch(queue, all);

/** The answers on a server, which never replaces an answer by an older one. */
class Stored {
  readonly answers = new Map<string, { text: string | undefined; at: number }>();

  save(batch: rules.GivenAnswers): void {
    const at = rules.timeOf(batch);
    for (const [id, { answer }] of Object.entries(batch))
      if (at > (this.answers.get(id)?.at ?? -1)) this.answers.set(id, { text: answer.text, at });
  }
}

describe("the queue", () => {
  test("batches changed answers, the newest of each question, with the time of the last one", () => {
    const queue = give(give(give(rules.beginQueue(), "a", "1", 3), "b", "2", 4), "a", "3", 5);
    const batch = next(queue);
    expect(batch).toEqual({ a: { answer: { text: "3" }, at: 5 }, b: { answer: { text: "2" }, at: 4 } });
    expect(rules.timeOf(batch ?? {})).toBe(5);
  });

  test("sends answers that were given far apart one after the other, the oldest first", () => {
    let queue = give(give(give(rules.beginQueue(), "a", "1", 3), "b", "2", 20), "c", "3", 300);
    const first = next(queue);
    expect(Object.keys(first ?? {})).toEqual(["a", "b"]);
    queue = rules.saved(rules.sent(queue, first ?? {}));
    expect(Object.keys(next(queue) ?? {})).toEqual(["c"]);
  });

  test("an answer that changes while its request runs is sent again", () => {
    let queue = give(rules.beginQueue(), "a", "1", 3);
    queue = give(rules.sent(queue, next(queue) ?? {}), "a", "2", 4);
    queue = rules.saved(queue);
    expect(next(queue)).toEqual({ a: { answer: { text: "2" }, at: 4 } });
  });

  test("a later answer has a later time, although the clock may seem to have gone back after a reload", () => {
    const before = give(rules.beginQueue(), "a", "1", 100);
    const after = give(rules.beginQueue({}, before.lastAt), "a", "2", 97);
    expect(after.unsent.a?.at).toBeGreaterThan(100);
  });

  test("an unreadable answer does not hold the others back", () => {
    const queue = rules.give(give(rules.beginQueue(), "a", "1", 3), "n", { number: "-" }, 4);
    expect(rules.nextBatch(queue, isSendable)).toEqual({ a: { answer: { text: "1" }, at: 3 } });
    expect(rules.hasWaiting(rules.saved(rules.sent(queue, next(queue) ?? {})), isSendable)).toBe(false);
  });

  test("a refused answer is found by sending one at a time, and waits for its next change", () => {
    let queue = give(give(give(rules.beginQueue(), "a", "1", 1), "bad", "2", 2), "c", "3", 3);
    const stored = new Stored();
    for (let requests = 0; next(queue); requests += 1) {
      expect(requests).toBeLessThan(6);
      const batch = next(queue) ?? {};
      queue = rules.sent(queue, batch);
      if ("bad" in batch) queue = rules.refused(queue);
      else {
        stored.save(batch);
        queue = rules.saved(queue);
      }
    }
    expect([...stored.answers.keys()]).toEqual(["a", "c"]);
    expect(rules.refusedIds(queue)).toEqual(["bad"]);
    queue = give(queue, "bad", "good", 9);
    expect(rules.refusedIds(queue)).toEqual([]);
    expect(Object.keys(next(queue) ?? {})).toEqual(["bad"]);
  });

  test("what still waits when the server closes is lost; refused and unreadable answers did not wait", () => {
    let queue = rules.give(give(rules.beginQueue(), "bad", "1", 1), "n", { number: "-" }, 2);
    queue = rules.refused(rules.sent(queue, { bad: { answer: { text: "1" }, at: 1 } }));
    queue = rules.closed(give(queue, "a", "2", 3), isSendable);
    expect(queue).toMatchObject({ unsent: {}, lost: { a: { at: 3 } } });
    expect(Object.keys(queue.lost)).toEqual(["a"]);
  });

  test("this device keeps what another of its tabs could not send", () => {
    const mine = give(rules.beginQueue(), "a", "mine", 10);
    const theirs = give(give(rules.beginQueue(), "a", "theirs", 5), "b", "theirs", 6).unsent;
    expect(rules.keptWith(mine, theirs)).toEqual({ a: mine.unsent.a, b: theirs.b });
    const sent = rules.saved(rules.sent(mine, mine.unsent));
    expect(rules.keptWith(sent, mine.unsent)).toEqual({});
  });

  test("retries become slower, up to ten seconds", () => {
    expect([1, 2, 3, 4, 5, 50].map(rules.retryDelay)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test("after any loss of requests and responses, the server has the last answer to each question", () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("give" as const), id: fc.constantFrom("a", "b", "c"), wait: fc.nat(60) }),
      fc.record({
        type: fc.constantFrom("arrives" as const, "lostRequest" as const, "lostResponse" as const),
      }),
      fc.record({ type: fc.constant("reload" as const), back: fc.nat(5) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const stored = new Stored();
        const last = new Map<string, string>();
        let queue = rules.beginQueue();
        let [now, count] = [0, 0];
        const send = (type: "arrives" | "lostRequest" | "lostResponse") => {
          const batch = next(queue);
          if (!batch) return;
          queue = rules.sent(queue, batch);
          if (type !== "lostRequest") stored.save(batch);
          queue = type === "arrives" ? rules.saved(queue) : rules.unanswered(queue);
        };
        for (const one of steps) {
          if (one.type === "give") {
            now += one.wait;
            count += 1;
            queue = give(queue, one.id, String(count), now);
            last.set(one.id, String(count));
          } else if (one.type === "reload") {
            // The time that the next response tells is a little behind.
            now = Math.max(0, now - one.back);
            queue = rules.beginQueue(rules.keptWith(queue, {}), queue.lastAt);
          } else send(one.type);
        }
        while (next(queue)) send("arrives");
        expect(new Map([...stored.answers].map(([id, { text }]) => [id, text]))).toEqual(last);
      }),
    );
  });
});
