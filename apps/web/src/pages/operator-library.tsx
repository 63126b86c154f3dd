import { EpisodeState } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { say, words } from "../state/language.ts";
import { Pager } from "../ui/pager.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { sayEpisodeOf, sayTitle } from "../ui/scene-words.ts";
import { useAnswer } from "../ui/use-answer.ts";

const pageSize = 50;

/** The films, those with problems first. */
export function OperatorLibrary() {
  const [page, setPage] = useState(1);
  const [state, setState] = useState<EpisodeState | undefined>(undefined);
  const { value, error, isLoading, again } = useAnswer(
    (signal) => koma.listOperatorEpisodes({ page, pageSize, state }, { signal }),
    [page, state],
  );
  return (
    <>
      <p class="filters">
        <label>
          {say("web.operator.state")}{" "}
          <select
            onChange={(event) => {
              setPage(1);
              setState(EpisodeState.safeParse(event.currentTarget.value).data);
            }}
          >
            <option value="">{say("web.operator.allStates")}</option>
            {EpisodeState.options.map((one) => (
              <option key={one} value={one}>
                {say(`web.operator.states.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {error !== undefined && <ProblemFace error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{say("web.operator.noFilms")}</p>}
      {value && value.total > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        <section class="wide-table" tabIndex={0} aria-label={say("web.operator.library")}>
          <table aria-busy={isLoading}>
            <thead>
              <tr>
                <th scope="col">{say("web.operator.film")}</th>
                <th scope="col">{say("web.operator.state")}</th>
                <th scope="col">{say("web.operator.frames")}</th>
                <th scope="col">{say("web.operator.length")}</th>
                <th scope="col">{say("web.operator.indexedAt")}</th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((film) => (
                <tr key={film.id}>
                  <th scope="row">
                    {sayTitle(film.anime)}
                    {", "}
                    {sayEpisodeOf({ ...film, title: null })}
                    <small>{film.fileName}</small>
                    {film.problem !== null && <small class="wrong">{film.problem}</small>}
                  </th>
                  <td>
                    <span class={`state ${film.state}`}>{say(`web.operator.states.${film.state}`)}</span>
                  </td>
                  <td>{words().formatNumber(film.frameCount)}</td>
                  <td>{film.durationSeconds === null ? "–" : words().formatTime(film.durationSeconds)}</td>
                  <td>{film.indexedAt === null ? "–" : words().formatRelative(new Date(film.indexedAt))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {value && <Pager page={page} pageSize={pageSize} total={value.total} onPage={setPage} />}
    </>
  );
}
