/** A page, counted from 1, as Prisma wants it. */
export function toSkipTake(options: { page: number; pageSize: number }): { skip: number; take: number } {
  return { skip: (options.page - 1) * options.pageSize, take: options.pageSize };
}
