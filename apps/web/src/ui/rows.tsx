import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
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
  const isBeyondEnd = paging !== undefined && value?.items.length === 0 && paging.page > 1;
  // A change can remove the last row of the last page.
  useEffect(() => {
    if (isBeyondEnd) paging.onPage(Math.max(1, Math.ceil((total ?? 0) / paging.pageSize)));
  }, [value]);
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
