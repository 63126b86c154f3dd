import type { PictureDescription } from "../picture/picture-description.ts";
import type { Guess } from "../verification/find-alignments.ts";
import { type Alignment, createVerifier, type Question } from "../verification/verifier.ts";
import { pickCandidates } from "./candidates.ts";
import { type Judgement, judge, judgeFromAfar } from "./judge.ts";
import { findBestFrame } from "./refine-frame.ts";
import type { Hit } from "./scene-grouping.ts";

/** Frames that are glanced at: more where the picture is seen in many ways. */
const GLANCES = { least: 10, perView: 2, most: 32 };
/** Of these, so many are aligned with the picture. */
const ALIGNMENTS = 16;
/** From this probability on, only frames that are as similar as the best one are looked at. */
const CERTAIN = 0.97;
const CERTAIN_GAP = 0.03;

type Verification = {
  judgement: Judgement;
  picture: PictureDescription;
  /** The stored thumbnail of a hit's frame. */
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
  /** Awaited after each frame: others get their turn. */
  turn: () => Promise<void> | undefined;
};

/** A frame seen in one of the picture's views, and where in it. */
type Look = { hit: Hit; question: Question; guesses: Guess[]; promise: number };

/**
 * Lays the most promising frames over the picture and gives each a verdict; the best one's gives way to the frame among its neighbours that agrees
 * best. What is left unverified is given too, without one.
 */
export async function verifyHits(hits: readonly Hit[], options: Verification): Promise<Hit[]> {
  const { judgement, picture, thumbnailOf, turn } = options;
  if (picture.grey === null) return [...hits];
  const verifier = createVerifier(picture.grey);
  const looks: Look[] = [];
  for (const { hit, question } of findQuestions(hits, options)) {
    const guesses = verifier.glance(question);
    looks.push({
      hit,
      question,
      guesses,
      promise: judgeFromAfar(judgement, hit.cosine, guesses[0]?.score ?? 0),
    });
    await turn();
  }
  looks.sort((a, b) => b.promise - a.promise);
  const verified = new Map<string, Hit>();
  let best: Hit | undefined;
  let bestPlace: { question: Question; alignment: Alignment } | undefined;
  for (const { hit, question, guesses } of looks.slice(0, ALIGNMENTS)) {
    const isCertain = (best?.verdict?.similarity ?? 0) >= CERTAIN;
    if (isCertain && hit.cosine < (best?.cosine ?? 0) - CERTAIN_GAP) continue;
    const alignment = verifier.align(question, guesses);
    const grounds = alignment && { ...alignment.evidence, cosine: hit.cosine };
    const verdict =
      alignment === undefined || grounds === undefined
        ? { similarity: 0, region: null, isMirrored: question.view.isMirrored, grounds: null }
        : { ...alignment, similarity: judge(judgement, grounds), grounds };
    const found = { ...hit, verdict };
    const other = verified.get(frameKey(hit))?.verdict;
    if (other === undefined || verdict.similarity > other.similarity) verified.set(frameKey(hit), found);
    if (best?.verdict === undefined || verdict.similarity > best.verdict.similarity) {
      best = found;
      bestPlace = alignment && { question, alignment };
    }
    await turn();
  }
  if (best !== undefined && bestPlace !== undefined) {
    const compare = verifier.createComparison(bestPlace.question, bestPlace.alignment);
    verified.set(frameKey(best), { ...best, frame: findBestFrame(best, thumbnailOf, compare) });
  }
  return [...verified.values(), ...hits.filter((hit) => !verified.has(frameKey(hit)))];
}

/** All thumbnails are read at once: labels may change when others get their turn. */
function findQuestions(hits: readonly Hit[], { picture, thumbnailOf }: Verification) {
  const limit = Math.min(GLANCES.most, GLANCES.least + GLANCES.perView * picture.views.length);
  return pickCandidates(hits, limit).flatMap(({ hit, views }) => {
    const thumbnail = thumbnailOf(hit);
    if (thumbnail === undefined) return [];
    return views.flatMap(({ view: at, cosine }) => {
      const view = picture.views[at];
      if (view === undefined) return [];
      const { aspect } = hit.episode.table;
      return [{ hit: { ...hit, view: at, cosine }, question: { thumbnail, aspect, view } }];
    });
  });
}

function frameKey({ episode, frame }: Hit): string {
  return `${episode.firstLabel}:${frame}`;
}
