import { describe, expect, it } from "vitest";
import { commandsOf } from "./copying";

describe("commandsOf", () => {
  it("returns the commands of a session without prompts and output", () => {
    expect(commandsOf("$ cargo new hello\n     Created binary\n$ cd hello\n> dir")).toBe(
      "cargo new hello\ncd hello\ndir",
    );
  });

  it("keeps a command of several lines whole", () => {
    expect(commandsOf("$ curl a \\\n  | sh\nok")).toBe("curl a \\\n  | sh");
  });

  it("returns everything when there is no prompt", () => {
    expect(commandsOf("error[E0382]: borrow of moved value\n  --> src/main.rs")).toBe(
      "error[E0382]: borrow of moved value\n  --> src/main.rs",
    );
  });
});
