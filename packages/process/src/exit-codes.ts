/** The exit codes of every program of Koma; an interrupted command ends with 128 plus the number of the signal. */
export const exitCodes = {
  success: 0,
  failure: 1,
  wrongUsage: 2,
  /** Only a change of the configuration helps, and a restart does not (EX_CONFIG of sysexits.h). */
  configuration: 78,
} as const;
