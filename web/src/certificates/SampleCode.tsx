import { encode } from "uqr";
import classes from "./CertificatePreview.module.css";
import { NUMBER } from "./sample";

/** The QR code of a certificate that does not exist, dark on white as on the PDF. */
export function SampleCode() {
  const { data, size } = encode(`${window.location.origin}/c/${NUMBER}`, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${size} ${size}`}
      aria-hidden="true"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
