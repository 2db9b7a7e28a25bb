import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { keepReturnPath } from "../api/returnPath";
import classes from "./AccountLink.module.css";

interface Props {
  to: "/signup" | "/login";
  children: ReactNode;
}

/** A link with which a guest gets an account, or signs in to one. It leads back to this screen afterwards. */
export function AccountLink({ to, children }: Props) {
  const here = useLocation({ select: ({ href }) => href });
  return (
    <Link to={to} className={classes.link} onClick={() => keepReturnPath(here)}>
      {children}
    </Link>
  );
}
