import { IconMoon, IconSun } from "../ui/icons";
import mark from "../ui/kurso.svg";
import classes from "./graphiql.module.css";
import { offerToken, useIdentity } from "./identity";
import { words } from "./words";

interface Props {
  theme: "light" | "dark";
  setTheme: (theme: "light" | "dark") => void;
}

/** Above GraphiQL: the way back, whose token goes with the requests, and the theme of the app. */
export function Bar({ theme, setTheme }: Props) {
  const { email, offered } = useIdentity();
  const dark = theme === "dark";
  return (
    <header className={classes.bar}>
      <a href="/" className={classes.brand}>
        <img src={mark} alt="" width={22} height={22} />
        {words.back}
      </a>
      <h1 className={classes.title}>GraphiQL</h1>
      <div className={classes.identity}>
        {email === null ? (
          <a href="/login" className={classes.signIn} title={words.signedOutText}>
            {words.signIn}
          </a>
        ) : (
          <label className={classes.as} title={words.tokenText}>
            <input
              type="checkbox"
              checked={offered}
              onChange={(event) => offerToken(event.currentTarget.checked)}
            />
            <span className={classes.email}>{words.as.replace("{{email}}", email)}</span>
          </label>
        )}
      </div>
      <button
        type="button"
        className={classes.theme}
        aria-label={dark ? words.toLight : words.toDark}
        onClick={() => setTheme(dark ? "light" : "dark")}
      >
        {dark ? <IconSun /> : <IconMoon />}
      </button>
    </header>
  );
}
