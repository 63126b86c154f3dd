import { expect, test } from "vitest";
import { exampleOf } from "../src/endpoint/example.ts";
import { OperatorEpisode } from "../src/operator/operator.ts";
import { Site } from "../src/service/site.ts";

test("accepts the replies of an older server", () => {
  const { isLibraryPublic: _isPublic, contact: _contact, historyDays: _days, ...site } = exampleOf(Site);
  expect(Site.parse(site)).toEqual(site);
  const { title: _title, ...episode } = exampleOf(OperatorEpisode);
  expect(OperatorEpisode.parse(episode)).toEqual(episode);
});
