import type { ComponentChildren } from "preact";
import { ErrorPanel } from "./error-panel.tsx";
import { Pager } from "./pager.tsx";
import { useListFocus } from "./use-list-focus.ts";
import type { RequestState } from "./use-response.ts";

type Page<Item> = { items: readonly Item[]; total?: number };

/** A list from the API: its error, a sentence where it is empty, its rows, and the navigation between pages. */
export function Rows<Item>(props: {
  response: RequestState<Page<Item>> & { again: () => void };
  empty: string;
  paging?: { page: number; pageSize: number; isByTitle?: boolean; onPage: (page: number) => void };
  children: (item: Item) => ComponentChildren;
}) {
  const { paging, children } = props;
  const { value, error, isLoading, again } = props.response;
  const listFocus = useListFocus(value);
  const total = value && (value.total ?? value.items.length);
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {total === 0 && <p class="empty">{props.empty}</p>}
      <ul class="rows" aria-busy={isLoading} {...listFocus}>
        {value?.items.map(children)}
      </ul>
      {paging && total !== undefined && <Pager {...paging} total={total} />}
    </>
  );
}
