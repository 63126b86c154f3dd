import { t } from "../state/language.ts";

/**
 * The navigation between the pages of a list; nothing for a single page. Lists are ordered by time, newest
 * first, unless `isByTitle`.
 */
export function Pager(props: {
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
