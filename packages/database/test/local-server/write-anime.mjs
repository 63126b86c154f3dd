// A child process of the tests: adds anime and prints the id of each acknowledged one, then stays.
import { connectDatabase } from "@koma/database";

const [dataDir, name, count] = process.argv.slice(2);
const database = await connectDatabase({ dataDir });
for (let index = 0; index < Number(count); index++) {
  const { id } = await database.anime.findOrCreate({ key: `${name} ${Date.now()} ${index}`, title: name });
  process.stdout.write(`${id}\n`);
}
process.stdout.write("done\n");
// An open connection keeps this process and the embedded server running.
