const limit = 10_000;

/** Remembers the Discord language of users. Only interactions contain it, not messages. */
export function rememberLocales() {
  const locales = new Map<string, string>();
  return {
    see(personId: string, locale: string): void {
      locales.delete(personId);
      locales.set(personId, locale);
      const oldest = locales.keys().next();
      if (locales.size > limit && oldest.done !== true) locales.delete(oldest.value);
    },
    of: (personId: string): string | undefined => locales.get(personId),
  };
}
