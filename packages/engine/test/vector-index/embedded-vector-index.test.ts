import { openEmbeddedVectorIndex } from "../../src/vector-index/embedded-vector-index.ts";
import { testVectorIndex } from "./conformance.ts";
import { dimensions } from "./seeded-vectors.ts";

testVectorIndex("the embedded vector index", async () => openEmbeddedVectorIndex({ dimensions }));
