import type { Failure } from "./failure.ts";
import { translator } from "./scene-texts.ts";
import { text } from "./texts.ts";

/** The words for an error: what happened, and what to do. */
export function describeFailure(failure: Failure): { title: string; advice: string } {
  switch (failure.kind) {
    case "local":
      return { title: text(`${failure.reason}Title`), advice: text(`${failure.reason}Text`) };
    case "api":
      return {
        title: translator.t(`error.${failure.code}.title`),
        advice: translator.t(`error.${failure.code}.text`),
      };
    case "unreachable":
      return { title: text("unreachableTitle"), advice: text("unreachableText") };
    case "unexpected":
      return { title: text("notKomaTitle"), advice: text("notKomaText", String(failure.status)) };
  }
}
