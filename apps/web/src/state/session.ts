import { signal } from "@preact/signals";
import { auth, type SignedIn } from "../api/auth.ts";
import { removeImages } from "../search/image-store.ts";

/** The signed-in user; null for a guest, undefined until the API responds. */
export const session = signal<SignedIn | null | undefined>(undefined);

/** Loads the session from the API. */
export async function loadSession(): Promise<void> {
  session.value = await auth.getSession().catch(() => null);
}

/**
 * Ends the session of this device and deletes the images of its searches, which the next account must not
 * see.
 */
export async function endSession(): Promise<void> {
  await auth.signOut().catch(() => undefined);
  // The change ends the searches of the user, so none of them saves an image after the removal.
  session.value = null;
  // A storage that does not respond must not delay the page.
  await Promise.race([removeImages(), new Promise((resolve) => setTimeout(resolve, 1000))]);
}
