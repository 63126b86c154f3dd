/** A page of a list; pages count from 1. */
export type Page = { page: number; pageSize: number };

/** Prisma's options for a page. */
export function toSkipTake({ page, pageSize }: Page): { skip: number; take: number } {
  return { skip: (page - 1) * pageSize, take: pageSize };
}
