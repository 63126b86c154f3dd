// A process of its own for the tests: locks a folder and keeps it.
import { takeFolderLock } from "../../dist/embedded/folder-lock.js";

await takeFolderLock(process.argv[2]);
process.send("locked");
