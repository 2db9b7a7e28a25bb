import type { ErrorComponentProps } from "@tanstack/react-router";

export function SomethingWentWrong({ error }: ErrorComponentProps) {
  return <h1>Something went wrong! {String(error)}</h1>;
}
