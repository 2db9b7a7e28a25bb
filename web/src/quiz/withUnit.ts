/** A number with its unit, where there is one. */
export const withUnit = (number: string, unit: string | undefined): string =>
  unit ? `${number}\u00a0${unit}` : number;
