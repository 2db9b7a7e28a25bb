// Parses docs/operations.md into its command blocks, each with the machine it runs on.

/** @typedef {{ machine: string, section: string, commands: string, line: number }} Block */

/** @param {string} markdown @returns {Block[]} */
export function blocks(markdown) {
  /** @type {Block[]} */
  const found = [];
  let section = "";
  /** @type {{ language: string, machine: string, line: number, text: string[] } | undefined} */
  let open;
  markdown.split("\n").forEach((text, at) => {
    const fence = text.match(/^```(\S*) ?(.*)$/);
    if (!open && fence) open = { language: fence[1] ?? "", machine: fence[2] ?? "", line: at + 1, text: [] };
    else if (open && text === "```") {
      const { language, machine, line, text: lines } = open;
      if (!["sh", "toml"].includes(language)) throw new Error(`line ${line}: what is ${language}?`);
      if (language === "sh") found.push({ machine, section, commands: lines.join("\n"), line });
      open = undefined;
    } else if (open) open.text.push(text);
    // A command outside these blocks would not be tested.
    else if (/^( {4}|\t)/.test(text)) throw new Error(`line ${at + 1}: commands stand in a block of sh`);
    else section = text.match(/^##+ (.*)$/)?.[1] ?? section;
  });
  if (open) throw new Error(`the block that begins in line ${open.line} does not end`);
  return found;
}
