import { signal } from "@preact/signals";
import { auth, type SignedIn } from "../api/auth.ts";

/** Who is signed in; null for a guest, undefined while that is not known yet. */
export const session = signal<SignedIn | null | undefined>(undefined);

/** Asks who is signed in. */
export async function loadSession(): Promise<void> {
  session.value = await auth.getSession().catch(() => null);
}

/** Ends the session on this device; then the browser is a guest's. */
export async function endSession(): Promise<void> {
  await auth.signOut().catch(() => undefined);
  session.value = null;
}
