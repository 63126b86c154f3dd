/** Whether a `Cookie` header contains a session cookie, valid or not. */
export function hasSessionCookie(cookie: string): boolean {
  return /(?:^|;\s*)(?:__Secure-|__Host-)?better-auth\.session_token=/.test(cookie);
}
