/** A page of a list; pages count from 1. */
export type Page = { page: number; pageSize: number };

/**
 * The rows of a page, and the number of rows on all pages. `find` passes its argument to the `findMany` of the
 * table and adds the order.
 */
export async function listPage<Where, Row>(
  table: { count(query: { where: Where }): Promise<number> },
  { page, pageSize }: Page,
  where: Where,
  find: (query: { where: Where; skip: number; take: number }) => Promise<Row[]>,
): Promise<{ total: number; rows: Row[] }> {
  const [total, rows] = await Promise.all([
    table.count({ where }),
    find({ where, skip: (page - 1) * pageSize, take: pageSize }),
  ]);
  return { total, rows };
}
