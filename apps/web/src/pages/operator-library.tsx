import { EpisodeState } from "@koma/contract";
import { useState } from "preact/hooks";
import { koma } from "../api/koma.ts";
import { t, words } from "../state/language.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { Pager } from "../ui/pager.tsx";
import { formatEpisodeOf, formatTitle } from "../ui/scene-words.ts";
import { useResponse } from "../ui/use-response.ts";

const pageSize = 50;

/** The episodes of the library, failed ones first. */
export function OperatorLibrary() {
  const [page, setPage] = useState(1);
  const [state, setState] = useState<EpisodeState | undefined>(undefined);
  const { value, error, isLoading, again } = useResponse(
    (signal) => koma.listOperatorEpisodes({ page, pageSize, state }, { signal }),
    [page, state],
  );
  return (
    <>
      <p class="filters">
        <label>
          {t("web.operator.state")}{" "}
          <select
            onChange={(event) => {
              setPage(1);
              setState(EpisodeState.safeParse(event.currentTarget.value).data);
            }}
          >
            <option value="">{t("web.operator.allStates")}</option>
            {EpisodeState.options.map((one) => (
              <option key={one} value={one}>
                {t(`web.operator.states.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {value?.total === 0 && <p class="empty">{t("web.operator.noEpisodes")}</p>}
      {value && value.total > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        <section class="wide-table" tabIndex={0} aria-label={t("web.operator.library")}>
          <table aria-busy={isLoading}>
            <thead>
              <tr>
                <th scope="col">{t("web.operator.film")}</th>
                <th scope="col">{t("web.operator.state")}</th>
                <th scope="col">{t("web.operator.frames")}</th>
                <th scope="col">{t("web.operator.length")}</th>
                <th scope="col">{t("web.operator.indexedAt")}</th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((video) => (
                <tr key={video.id}>
                  <th scope="row">
                    {formatTitle(video.anime)}
                    {", "}
                    {formatEpisodeOf({ ...video, title: null })}
                    <small>{video.fileName}</small>
                    {video.problem !== null && <small class="wrong">{video.problem}</small>}
                  </th>
                  <td>
                    <span class={`state ${video.state}`}>{t(`web.operator.states.${video.state}`)}</span>
                  </td>
                  <td>{words().formatNumber(video.frameCount)}</td>
                  <td>{video.durationSeconds === null ? "–" : words().formatTime(video.durationSeconds)}</td>
                  <td>
                    {video.indexedAt === null ? "–" : words().formatRelative(new Date(video.indexedAt))}
                  </td>
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
