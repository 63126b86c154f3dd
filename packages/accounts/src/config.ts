/** Whether links that would go out by mail may be logged instead: never in production. */
export function isProduction(): boolean {
  return process.env.NODE_ENV === "production";
}
