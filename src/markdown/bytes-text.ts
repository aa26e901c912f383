/** Sizes of files in words. */

const UNITS = ["bytes", "kB", "MB", "GB"];

/** `5.1 MB`: three digits at most. */
export const bytesText = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
};
