/** A page, counted from 1, as Prisma wants it. */
export function toSkipTake(wanted: { page: number; pageSize: number }): { skip: number; take: number } {
  return { skip: (wanted.page - 1) * wanted.pageSize, take: wanted.pageSize };
}
