import { koma } from "../api/koma.ts";
import { place, setQuery } from "../routing/router.ts";
import { say, words } from "../state/language.ts";
import { MembersOnly } from "../ui/members-only.tsx";
import { ProblemFace } from "../ui/problem-face.tsx";
import { useAnswer } from "../ui/use-answer.ts";
import { OperatorLibrary } from "./operator-library.tsx";
import { OperatorUsers } from "./operator-users.tsx";

const parts = ["overview", "library", "users"] as const;

/** For whoever runs Koma: figures, films and users. */
export function OperatorPage() {
  return (
    <MembersOnly title={say("web.operator.title")}>
      {(user) => (user.isAdmin ? <Parts /> : <p class="note">{say("web.operator.forbidden")}</p>)}
    </MembersOnly>
  );
}

function Parts() {
  const shown = parts.find((part) => part === place.value.query.get("part")) ?? "overview";
  return (
    <div class="list-page">
      <fieldset class="tabs">
        <legend class="unseen">{say("web.operator.parts")}</legend>
        {parts.map((part) => (
          <label key={part}>
            <input
              type="radio"
              name="part"
              checked={part === shown}
              onChange={() => setQuery({ part: part === "overview" ? undefined : part })}
            />
            <span>{say(`web.operator.${part}`)}</span>
          </label>
        ))}
      </fieldset>
      {shown === "overview" && <Overview />}
      {shown === "library" && <OperatorLibrary />}
      {shown === "users" && <OperatorUsers />}
    </div>
  );
}

function Overview() {
  const { value, error, again } = useAnswer((signal) => koma.getOperatorOverview({}, { signal }), []);
  if (error !== undefined) return <ProblemFace error={error} retry={again} />;
  if (value === undefined) return <p class="waiting">{say("web.common.loading")}</p>;
  const { library, index, searches, users } = value;
  const number = words().formatNumber;
  const groups: [string, [string, string][]][] = [
    [
      say("web.operator.library"),
      [
        [say("web.operator.anime"), number(library.anime)],
        [say("web.operator.episodes"), number(library.episodes.ready)],
        [say("web.operator.waiting"), number(library.episodes.pending)],
        [say("web.operator.indexing"), number(library.episodes.indexing)],
        [say("web.operator.failed"), number(library.episodes.failed)],
        [say("web.operator.framesStored"), number(library.frames)],
      ],
    ],
    [
      say(index.isOpen ? "web.operator.indexOpen" : "web.operator.indexClosed"),
      [
        [say("web.operator.framesIndexed"), number(index.frames)],
        [say("web.operator.underWay"), number(searches.underWay)],
        [say("web.operator.lastHour"), number(searches.lastHour)],
        [say("web.operator.lastDay"), number(searches.lastDay)],
        [
          say("web.operator.median"),
          searches.medianMs === null ? "–" : say("web.operator.ms", { ms: searches.medianMs }),
        ],
      ],
    ],
    [
      say("web.operator.users"),
      [
        [say("web.operator.people"), number(users.people)],
        [say("web.operator.newLastDay"), number(users.newLastDay)],
        [say("web.operator.bots"), number(users.bots)],
        [
          say("web.operator.memory"),
          say("web.operator.megabytes", { count: Math.round(value.memoryBytes / 1e6) }),
        ],
        [say("web.operator.started"), words().formatRelative(new Date(value.startedAt))],
        [say("web.operator.version"), value.version],
      ],
    ],
  ];
  return (
    <div class="figure-groups">
      {groups.map(([title, figures]) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <dl class="facts">
            {figures.map(([name, figure]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{figure}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
