import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// better-auth takes 60 ms or more of a core per password, and most users of the tests only need a session.
const { scrypt } = crypto;
type Done = (error: Error | null, key: Buffer) => void;
Object.assign(crypto, {
  scrypt: (password: string, salt: string, bytes: number, _cost: object, done: Done) =>
    scrypt(password, salt, bytes, { N: 2 }, done),
});
syncBuiltinESMExports();
