import { expect, test } from "vitest";
import { problems } from "../src/index.ts";

test("a code keeps its status", () => {
  const codes = Object.entries(problems);
  const codesByStatus = Object.groupBy(codes, ([, { status }]) => status);
  const listed = Object.entries(codesByStatus).map(([status, rows]) => [
    Number(status),
    rows?.map(([code]) => code).join(" "),
  ]);
  expect(listed).toEqual([
    [400, "invalid_request image_required image_and_url url_not_allowed"],
    [401, "unauthenticated invalid_api_key"],
    [402, "credits_exhausted"],
    [403, "untrusted_origin two_factor_required forbidden link_denied"],
    [404, "not_found"],
    [408, "upload_too_slow"],
    [409, "confirmation_expired"],
    [410, "link_expired"],
    [413, "image_too_large"],
    [415, "unsupported_image_type unsupported_media_type"],
    [416, "range_not_satisfiable"],
    [422, "image_unreadable idempotency_key_reused url_fetch_failed"],
    [429, "guest_limit_reached hourly_limit_reached too_many_requests slow_down"],
    [500, "internal_error"],
    [503, "search_busy not_ready"],
  ]);
});
