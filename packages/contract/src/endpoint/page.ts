import { z } from "zod";
import { exampleOf } from "./example.ts";
import { decimalInteger } from "./query.ts";

/** The requested page of a list. */
export const pageQuery = z.object({
  page: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(1)
    .describe("The page, from 1; a page beyond the end is empty."),
  pageSize: decimalInteger({ minimum: 1, maximum: 100 }).default(20).describe("Items per page."),
});

/** The fields of every paged list in addition to its items. */
export const pageFields = {
  page: z.int().min(1).describe("The number of this page."),
  pageSize: z.int().min(1).describe("Items per full page."),
  total: z.int().min(0).describe("Items on all pages together."),
};

/** A page of a list: its description, the order of its items, and the example of one item as an example. */
export function pageOf<Item extends z.ZodType>(item: Item, description: string, order: string) {
  return z
    .object({ ...pageFields, items: z.array(item).describe(order) })
    .describe(description)
    .meta({ examples: [{ page: 1, pageSize: 20, total: 1, items: [exampleOf(item)] }] });
}
