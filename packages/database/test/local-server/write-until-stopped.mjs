// Publishes episodes one after another and reports each acknowledged one. A write that the server did not
// acknowledge is abandoned, and the next one starts.
import { connectDatabase, isDatabaseUnavailable } from "@koma/database";

const [dataDir, name] = process.argv.slice(2);
const database = await connectDatabase({ dataDir });
const anime = await database.anime.findOrCreate({ key: name, title: name });
let isStopped = false;
process.on("message", () => {
  isStopped = true;
});
process.send({ ready: true });
for (let index = 1; !isStopped; index++) {
  try {
    process.send({ acknowledged: await publish(index), index });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}
await database.close();
process.disconnect();

async function publish(index) {
  const file = { path: `/${name}/${index}`, fileName: `${index}`, sizeBytes: index, modifiedAtMs: 0 };
  const naming = { animeId: anime.id, season: null, number: `${index}`, title: null };
  const { id } = await database.episodes.upsertPending({ ...file, ...naming });
  const claim = await database.episodes.claim(id, { owner: name, leaseSeconds: 120 });
  const chunks = Array.from({ length: 4 }, () => new Uint8Array(64 * 1024).fill(index));
  const set = { modelId: "test-model", frameTable: new Uint8Array([index]), frameCount: index, chunks };
  const setId = await database.episodes.stageDescriptors(claim, set);
  const facts = {
    setId,
    sizeBytes: index,
    modifiedAtMs: 1,
    contentHash: `${name}-${index}`,
    durationSeconds: index,
  };
  await database.episodes.publish(claim, facts);
  return id;
}
