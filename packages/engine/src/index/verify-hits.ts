import type { PictureDescription } from "../picture/picture-description.ts";
import type { Guess } from "../verification/find-alignments.ts";
import { type Alignment, createVerifier, type Question } from "../verification/verifier.ts";
import { pickCandidates } from "./candidates.ts";
import { type Judgement, judge, judgeFromAfar } from "./judge.ts";
import { findBestFrame } from "./refine-frame.ts";
import type { Hit } from "./scene-grouping.ts";

/** Frames that are glanced at: more where the picture is seen in many ways. */
const GLANCES = { least: 10, perView: 2, most: 48 };
/** Of these, so many are aligned with the picture. */
const ALIGNMENTS = 16;
/** Of these, the shots of the best are searched for a frame that agrees better. */
const CLIMBS = 4;
const CLIMB_STEPS = 3;
/** From this probability on, only frames that are as similar as the best one are looked at. */
const CERTAIN = 0.97;
const CERTAIN_GAP = 0.03;

type Verification = {
  judgement: Judgement;
  picture: PictureDescription;
  /** The stored thumbnail of a hit's frame. */
  thumbnailOf: (hit: Hit) => Uint8Array | undefined;
  /** Cosine of a hit's frame and view. */
  cosineOf: (hit: Hit) => number;
  /** Awaited after each frame: others get their turn. */
  turn: () => Promise<void> | undefined;
};

/** A frame seen in one of the picture's views, and where in it. */
type Look = { hit: Hit; question: Question; guesses: Guess[]; promise: number };

/** A hit with its verdict, and where the frame lies in the picture, if anywhere. */
type Placed = { hit: Hit; question: Question; alignment?: Alignment };

/**
 * Lays the most promising frames over the picture and gives each a verdict; the best give way to frames of their shots that agree better:
 * descriptors propose two of a shot at most, by a part of the scene almost at random. What is left unverified is given too, without one.
 */
export async function verifyHits(hits: readonly Hit[], options: Verification): Promise<Hit[]> {
  const { judgement, picture, thumbnailOf, cosineOf, turn } = options;
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
  const found = new Map<string, Placed>();
  let best: Placed | undefined;
  const keep = (placed: Placed) => {
    const other = found.get(frameKey(placed.hit));
    if (other === undefined || similarityOf(placed) > similarityOf(other))
      found.set(frameKey(placed.hit), placed);
    if (best === undefined || similarityOf(placed) > similarityOf(best)) best = placed;
  };
  for (const { hit, question, guesses } of looks.slice(0, ALIGNMENTS)) {
    const isLost = best !== undefined && isCertain(best) && hit.cosine < best.hit.cosine - CERTAIN_GAP;
    if (isLost) continue;
    keep(place(hit, question, guesses));
    await turn();
  }
  for (const placed of bestOfShots(found.values(), best !== undefined && isCertain(best) ? 1 : CLIMBS)) {
    found.delete(frameKey(placed.hit));
    keep(climb(placed));
    await turn();
  }
  return [...[...found.values()].map(({ hit }) => hit), ...hits.filter((hit) => !found.has(frameKey(hit)))];

  function place(hit: Hit, question: Question, guesses: readonly Guess[]): Placed {
    const alignment = verifier.align(question, guesses);
    if (alignment === undefined) {
      const { isMirrored } = question.view;
      return {
        hit: { ...hit, verdict: { similarity: 0, region: null, isMirrored, grounds: null } },
        question,
      };
    }
    const { region, isMirrored } = alignment;
    const grounds = { ...alignment.evidence, cosine: hit.cosine };
    const verdict = { similarity: judge(judgement, grounds), region, isMirrored, grounds };
    return { hit: { ...hit, verdict }, question, alignment };
  }

  /** Goes to the frame of the shot that agrees best, as long as there is a better one; its own place in the picture may be better still. */
  function climb(start: Placed): Placed {
    let placed = start;
    for (let step = 0; step < CLIMB_STEPS && placed.alignment !== undefined; step++) {
      const { hit, question, alignment } = placed;
      const frame = findBestFrame(hit, thumbnailOf, verifier.createComparison(question, alignment));
      if (frame === hit.frame) break;
      const next = { ...hit, frame };
      const thumbnail = thumbnailOf(next);
      if (thumbnail === undefined) break;
      const asked = { ...question, thumbnail };
      const again = place({ ...next, cosine: cosineOf(next) }, asked, verifier.glance(asked));
      if (similarityOf(again) < similarityOf(placed)) return { ...placed, hit: next };
      placed = again;
    }
    return placed;
  }
}

function similarityOf({ hit }: Placed): number {
  return hit.verdict?.similarity ?? 0;
}

function isCertain(placed: Placed): boolean {
  return similarityOf(placed) >= CERTAIN;
}

/** The best frame of each shot, the best `count` of them. */
function bestOfShots(placed: Iterable<Placed>, count: number): Placed[] {
  const best = new Map<string, Placed>();
  for (const one of placed) {
    const { episode, frame } = one.hit;
    const shot = `${episode.firstLabel}/${episode.table.shotOf[frame] ?? 0}`;
    const other = best.get(shot);
    if (other === undefined || similarityOf(one) > similarityOf(other)) best.set(shot, one);
  }
  return [...best.values()].sort((a, b) => similarityOf(b) - similarityOf(a)).slice(0, count);
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
