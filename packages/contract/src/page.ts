import { z } from "zod";
import { decimalInteger } from "./query.ts";

/** Which part of a list is wanted. */
export const pageQuery = z.object({
  page: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(1)
    .describe("Which page, from 1; one beyond the end is empty."),
  pageSize: decimalInteger({ minimum: 1, maximum: 100 }).default(20).describe("Items on a page."),
});

/** What every paged list says beside its items. */
export const pageFields = {
  page: z.int().min(1).describe("The page that this is."),
  pageSize: z.int().min(1).describe("Items on a full page."),
  total: z.int().min(0).describe("Items on all pages together."),
};
