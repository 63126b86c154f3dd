/** The values of the fields of a modal by their ids; Discord nests them in rows or labels. */
export function readFormValues(components: unknown): Map<string, string> {
  const values = new Map<string, string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const one of part) visit(one);
      return;
    }
    if (typeof part !== "object" || part === null) return;
    const { custom_id: id, value, component, components: inner } = part as Record<string, unknown>;
    if (typeof id === "string" && typeof value === "string") values.set(id, value.trim());
    visit(component ?? inner ?? []);
  };
  visit(components);
  return values;
}
