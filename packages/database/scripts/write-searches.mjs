// Searches and confirms without pauses until its parent disconnects: node write-searches.mjs DATABASE_URL
// ANIME
import { randomUUID } from "node:crypto";
import { connectDatabase } from "@koma/database";

const [databaseUrl, anime] = process.argv.slice(2);
const database = await connectDatabase({ dataDir: ".", databaseUrl });
let isStopped = false;
let done = 0;
process.once("disconnect", () => {
  isStopped = true;
});
process.send?.("ready");
await Promise.all([write(), write()]);
await database.close();
console.log(`${done} searches were made and confirmed during the measurement.`);

async function write() {
  while (!isStopped) {
    const at = new Date();
    const [id, callerHash, owner] = [randomUUID(), randomUUID(), randomUUID()];
    const reservation = await database.quota.reserveGuest({
      callerHash,
      owner,
      day: at.toISOString().slice(0, 10),
      limit: 5,
      leaseSeconds: 60,
    });
    if (reservation.isRefused) throw new Error("The reservation was rejected.");
    const matches = [1, 2].map((rank) => ({ rank, animeId: pickAnime(), isConfident: rank === 1 }));
    const caller = { id, callerHash, callerKind: "guest", outcome: "found", confirmTokenHash: randomUUID() };
    const search = { ...caller, inHistory: false, isPublic: true, queryKind: "file" };
    await database.searches.settle({
      search: { ...search, matches, frameCount: 1_000_000, tookMs: 80 },
      reservation: { id: reservation.reservationId, owner },
      at,
    });
    await database.searches.confirm({ id, rank: 1 + Math.floor(2 * Math.random()), by: { callerHash }, at });
    done++;
  }
}

function pickAnime() {
  return `anime-${1 + Math.floor(Number(anime) * Math.random() ** 2)}`;
}
