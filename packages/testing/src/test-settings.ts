const rootTests = "test/**/*.root.test.ts";
const areRootTestsRun = process.env.KOMA_TEST_ROOT === "1";
if (areRootTestsRun && process.getuid?.() !== 0)
  throw new Error("Tests in *.root.test.ts create control groups and namespaces: run them as root.");

/**
 * The test files of a package for vitest. Tests that need root are in files named `*.root.test.ts`; they run
 * only with KOMA_TEST_ROOT=1, and then exclusively.
 */
export const testFiles = areRootTestsRun
  ? { include: [rootTests], exclude: [] as string[] }
  : { include: ["test/**/*.test.ts"], exclude: [rootTests] };

/** Limits of tests and of `expect.poll` for slow machines. The default of `expect.poll` is one second. */
export const patience = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** The reporters of every package. */
export const reporters = ["default", "@koma/testing/count-reporter"];
