/** Extracts the commands of a terminal session, without prompts and output. */
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
