import { Link } from "@tanstack/react-router";
import mark from "../ui/kurso.svg";
import classes from "./Brand.module.css";

export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <img src={mark} alt="" width={26} height={26} />
      Kurso
    </Link>
  );
}
