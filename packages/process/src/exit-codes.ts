/** The exit codes of every program of Koma; an interrupted command ends with 128 plus the number of the signal. */
export const exitCodes = {
  success: 0,
  failure: 1,
  wrongUsage: 2,
  /** No restart helps, only a change of the configuration or of the version (EX_CONFIG of sysexits.h). */
  configuration: 78,
} as const;
