// Reports keys of texts that no source file uses. Usage: node scripts/find-unused-texts.mjs
// A key counts as used if a string literal equals it, or if the type of a template literal contains it:
// `error.${code}.title` uses the keys of every value that `code` can have.
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { listKeys } from "./list-keys.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folders = [
  "packages/messages",
  "packages/bot-core",
  "apps/discord-bot",
  "apps/telegram-bot",
  "apps/web",
].map((name) => path.join(root, name, "src/"));

const keys = new Set(listKeys());
const unused = new Set(keys);
for (const name of ["tsconfig.json", "tsconfig.browser.json"]) markUsed(path.join(root, name));
if (unused.size > 0) {
  console.error(`${unused.size} of ${keys.size} texts are not used. Remove them from src/locales/*/*.json:`);
  for (const key of unused) console.error(`  ${key}`);
  process.exit(1);
}
console.log(`All ${keys.size} texts are used.`);

function markUsed(file) {
  const config = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => console.error(diagnostic.messageText) },
  );
  const isUser = (name) => folders.some((folder) => name.startsWith(folder)) && !name.includes("/locales/");
  const program = ts.createProgram({
    rootNames: config.fileNames.filter(isUser),
    options: { ...config.options, noEmit: true },
  });
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) if (isUser(source.fileName)) visit(source);

  function visit(node) {
    if (ts.isStringLiteralLike(node)) unused.delete(node.text);
    if (ts.isTemplateExpression(node)) for (const text of textsOf(node)) unused.delete(text);
    ts.forEachChild(node, visit);
  }

  /** The literals of a template, joined with every combination of the literal types of its expressions. */
  function textsOf(template) {
    let texts = [template.head.text];
    for (const span of template.templateSpans) {
      const type = checker.getTypeAtLocation(span.expression);
      const values = (type.isUnion() ? type.types : [type]).map((one) => one.value);
      if (values.some((value) => value === undefined)) return [];
      texts = texts.flatMap((text) => values.map((value) => text + value + span.literal.text));
    }
    return texts;
  }
}
