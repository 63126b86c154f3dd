/** Prisma's options for a page; pages count from 1. */
export function toSkipTake(options: { page: number; pageSize: number }): { skip: number; take: number } {
  return { skip: (options.page - 1) * options.pageSize, take: options.pageSize };
}
