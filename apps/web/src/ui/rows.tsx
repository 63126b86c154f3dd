import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../state/language.ts";
import { siteText } from "../state/site-texts.ts";
import { ErrorPanel } from "./error-panel.tsx";
import { SmallButton } from "./small-button.tsx";
import type { RequestState } from "./use-response.ts";

type Page<Item> = { items: readonly Item[]; total?: number };

/** The filter of a list, and the row that was changed last under it. */
export type Filter<Item> = {
  changed: { title: string; is: (item: Item) => boolean } | undefined;
  onClear: () => void;
};

/**
 * A list from the API: its error, a sentence where it is empty, its rows, and the navigation between pages. Under a
 * filter, a row that a change moved out of the list is named, and the filter can be cleared.
 */
export function Rows<Item>(props: {
  response: RequestState<Page<Item>> & {
    again: () => void;
    paging?: Omit<Parameters<typeof Pager>[0], "total">;
  };
  class?: string;
  empty?: string | undefined;
  filter?: Filter<Item> | undefined;
  isByTitle?: boolean;
  children: (item: Item) => ComponentChildren;
}) {
  const { filter, isByTitle = false, children } = props;
  const { value, error, isLoading, again, paging } = props.response;
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
      {value && filter && <LeftFilter filter={filter} page={value} />}
      {total === 0 && props.empty !== undefined && <p class="empty">{props.empty}</p>}
      {total === 0 && filter && <ClearFilter onClear={filter.onClear} />}
      <ul class={props.class ?? "rows"} aria-busy={isLoading} {...listFocus}>
        {value?.items.map(children)}
      </ul>
      {paging && total !== undefined && <Pager {...paging} isByTitle={isByTitle} total={total} />}
    </>
  );
}

/** Names the changed row that the list no longer has. Of a list of several pages this is not known. */
function LeftFilter<Item>({ filter, page }: { filter: Filter<Item>; page: Page<Item> }) {
  const { changed, onClear } = filter;
  const isWhole = (page.total ?? page.items.length) === page.items.length;
  if (changed === undefined || !isWhole || page.items.some(changed.is)) return null;
  return (
    <>
      <p role="status">{siteText("site.operator.leftFilter", { title: changed.title })}</p>
      {page.items.length > 0 && <ClearFilter onClear={onClear} />}
    </>
  );
}

function ClearFilter({ onClear }: { onClear: () => void }) {
  return (
    <p>
      <SmallButton
        onClick={({ currentTarget }) => {
          // The button disappears.
          currentTarget.closest("section")?.querySelector("h2")?.focus();
          onClear();
        }}
      >
        {siteText("site.operator.clearFilter")}
      </SmallButton>
    </p>
  );
}

/**
 * The attributes of a list of rows. When a new `value` removes the focused control, the heading of the section
 * or of the page takes the focus, which would otherwise start again at the top of the document.
 */
function useListFocus(value: unknown) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const isLost = focused.current instanceof Element && !focused.current.isConnected;
    if (!isLost || document.activeElement !== document.body) return;
    focused.current = null;
    const heading = list.current?.closest("section")?.querySelector("h2");
    (heading ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [value]);
  return {
    ref: list,
    onFocusIn: (event: FocusEvent) => {
      focused.current = event.target;
    },
  };
}

/**
 * The navigation between the pages of a list; nothing for a single page. Lists are ordered by time, newest
 * first, unless `isByTitle`.
 */
function Pager(props: {
  page: number;
  pageSize: number;
  total: number;
  isByTitle?: boolean;
  onPage: (page: number) => void;
}) {
  const { page, isByTitle = false, onPage } = props;
  const pages = Math.max(1, Math.ceil(props.total / props.pageSize));
  if (pages === 1 && page === 1) return null;
  return (
    // A page can have several lists, and landmarks of one kind need different names.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
    <div class="row pager" role="group" aria-label={t("web.common.pages")}>
      <button type="button" class="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t(isByTitle ? "web.common.previous" : "web.common.later")}
      </button>
      <span>{t("web.common.page", { page, pages })}</span>
      <button type="button" class="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t(isByTitle ? "web.common.next" : "web.common.earlier")}
      </button>
    </div>
  );
}
