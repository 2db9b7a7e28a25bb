/** What a reader wants from a terminal session: the commands, without the prompt and without what they printed. */
export function commandsOf(session: string): string {
  const commands: string[] = [];
  let continued = false;
  for (const line of session.split("\n")) {
    const command: string | undefined = continued ? line : /^[$>] (.*)$/.exec(line)?.[1];
    if (command === undefined) continue;
    commands.push(command);
    continued = command.endsWith("\\");
  }
  return commands.length > 0 ? commands.join("\n") : session;
}

/** Whether the text is on the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP in a local network browsers offer no clipboard object, only the old command.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
  }
}
