/**
 * Whether texts may promise more searches with an account: the numbers of this installation decide, and nothing is
 * promised while they are unknown.
 */
export function hasMoreWithAccount(
  limits: { guestSearchesPerDay: number; freeCreditsPerDay: number } | undefined,
): boolean {
  return limits !== undefined && limits.freeCreditsPerDay > limits.guestSearchesPerDay;
}
