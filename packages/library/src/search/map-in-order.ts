/**
 * Maps several items concurrently and yields the results in the order of the items. `work` must not reject.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    running.push(work(item));
    const oldest = running.length >= atOnce ? running.shift() : undefined;
    if (oldest !== undefined) yield await oldest;
  }
  for (const result of running) yield await result;
}
