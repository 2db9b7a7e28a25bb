import type { ReactNode } from "react";
import classes from "./Hotspot.module.css";
import type { Figure } from "./zones";

/** A drawing over a picture whose units are percent of its width and height. */
export function Overlay({ children }: { children: ReactNode }) {
  return (
    <svg
      className={classes.overlay}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** The outline of a zone. It is drawn twice, light on dark, so that it stands out from any picture. */
export function ZoneShape({ figure, isActive = false }: { figure: Figure; isActive?: boolean }) {
  return (
    <g className={classes.zone} data-active={isActive || undefined}>
      <Outline figure={figure} className={classes.halo} />
      <Outline figure={figure} className={classes.line} />
    </g>
  );
}

function Outline({ figure, className }: { figure: Figure; className: string | undefined }) {
  switch (figure.shape) {
    case "rectangle": {
      const { x, y, width, height } = figure;
      return <rect className={className} x={x} y={y} width={width} height={height} />;
    }
    case "ellipse":
      return (
        <ellipse
          className={className}
          cx={figure.x}
          cy={figure.y}
          rx={figure.radius_x}
          ry={figure.radius_y}
        />
      );
    case "polygon":
      return (
        <polygon
          className={className}
          fillRule="evenodd"
          points={figure.corners.map(({ x, y }) => `${x},${y}`).join(" ")}
        />
      );
  }
}
