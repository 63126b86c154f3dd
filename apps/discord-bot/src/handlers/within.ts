/** The result of the work, or `otherwise` if it fails or takes longer. */
export async function within<A>(ms: number, work: Promise<A>, otherwise: A): Promise<A> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<A>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
