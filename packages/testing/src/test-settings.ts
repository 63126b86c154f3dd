import { hasFfmpeg } from "./requirements.ts";

const rootTests = "test/**/*.root.test.ts";
const slowTests = "test/**/*.slow.test.ts";
export const areRootTestsRun = process.env.KOMA_TEST_ROOT === "1";
if (areRootTestsRun && process.getuid?.() !== 0)
  throw new Error("Tests in *.root.test.ts create control groups and namespaces: run them as root.");

/**
 * The test files of a package for vitest. Tests that start processes, browsers or ffmpeg are in files named
 * `*.slow.test.ts`: `KOMA_TEST_LAYER` chooses "fast" or "slow" ones, without it both run. Tests that need root
 * are in files named `*.root.test.ts`; they run only with KOMA_TEST_ROOT=1, and then exclusively. The fast files of
 * a worker share their modules, which take longer to load than most of them run.
 */
export const testFiles = chooseFiles();

/** Limits of tests and of `expect.poll` for slow machines. The default of `expect.poll` is one second. */
export const patience = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** The reporters of every package. */
export const reporters = ["default", "@koma/testing/count-reporter"];

/** True if a run includes slow tests, so that it needs what only they use. */
export const areSlowTestsRun = !areRootTestsRun && process.env.KOMA_TEST_LAYER !== "fast";

/** True if a run includes slow tests and can read videos: there is an ffmpeg. In CI its absence is an error. */
export const areVideoTestsRun = areSlowTestsRun && hasFfmpeg();

/** The test files of a package whose slow tests read videos. */
export const testFilesWithVideos =
  areRootTestsRun || areVideoTestsRun ? testFiles : { ...testFiles, exclude: [rootTests, slowTests] };

/**
 * The configuration of a bot: its parts, and whole bots with one API on a library that `prepareLibrary` renders and
 * indexes. The files of a worker share their modules.
 */
export function configureBotTests({ prepareLibrary }: { prepareLibrary: string }) {
  const { include, exclude, isolate } = testFilesWithVideos;
  const whole = "test/e2e/**";
  return {
    reporters,
    maxWorkers: 2,
    projects: [
      {
        extends: true as const,
        test: { ...patience, name: "parts", include, exclude: [...exclude, whole], isolate },
      },
      {
        extends: true as const,
        test: {
          ...patience,
          name: "e2e",
          include: [`${whole}/*.test.ts`],
          exclude,
          globalSetup: [prepareLibrary],
          isolate: false,
        },
      },
    ],
  };
}

function chooseFiles(): { include: string[]; exclude: string[]; isolate: boolean } {
  if (areRootTestsRun) return { include: [rootTests], exclude: [], isolate: true };
  switch (process.env.KOMA_TEST_LAYER) {
    case "fast":
      return { include: ["test/**/*.test.ts"], exclude: [rootTests, slowTests], isolate: false };
    case "slow":
      return { include: [slowTests], exclude: [], isolate: true };
    default:
      return { include: ["test/**/*.test.ts"], exclude: [rootTests], isolate: true };
  }
}
