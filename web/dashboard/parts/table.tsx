import type { ComponentChildren } from 'preact';
import type { Pages } from '../use-pages.ts';
import { Button } from './button.tsx';
import { Loading } from './loaded.tsx';
import { ProblemNotice } from './notice.tsx';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'right';
  /** Shows the label only to screen readers, for example for a column of buttons. */
  readonly labelHidden?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  /** A note below the caption, such as the time zone. */
  readonly note?: ComponentChildren;
  /** Hides the caption if the heading above says the same. */
  readonly captionHidden?: boolean;
  /** On phones, puts two cells side by side without labels: for cells that need none. */
  readonly compact?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The last row: what the others add up to. */
  readonly total?: Row;
  readonly keyOf: (row: Row) => string;
}

/** On phones, each row becomes a card: the roles keep it a table for screen readers. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, note, captionHidden = false, compact = false, columns, rows, total, keyOf } = props;
  const rowOf = (row: Row) => (
    <tr key={keyOf(row)} role="row">
      {columns.map(({ label, cell, align, labelHidden }) => (
        <td key={label} role="cell" class={align} data-label={labelHidden ? undefined : label}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
  return (
    <table role="table" class={compact ? 'compact' : undefined}>
      <caption>
        <span class={captionHidden ? 'hidden' : 'caption'}>{caption}</span>
        {note && <span class="quiet note">{note}</span>}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, align, labelHidden }) => (
            <th key={label} role="columnheader" scope="col" class={align}>
              {labelHidden ? <span class="hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{rows.map(rowOf)}</tbody>
      {total !== undefined && <tfoot role="rowgroup">{rowOf(total)}</tfoot>}
    </table>
  );
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: Pages<Row>;
  /** Shown instead of an empty table. */
  readonly empty: ComponentChildren;
}

export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { items, loading, problem, hasMore, loadMore, retry } = pages;
  return (
    <>
      <p class="hidden" role="status">
        {loading ? '' : `${items.length} shown`}
      </p>
      {items.length > 0 && <Table {...table} rows={items} />}
      {items.length === 0 && loading && <Loading lines={5} />}
      {items.length === 0 && !loading && !problem && empty}
      {problem && !loading && <ProblemNotice problem={problem} retry={retry} />}
      {items.length > 0 && hasMore && !problem && (
        <div class="more">
          <Button busy={loading} onClick={loadMore}>
            {loading ? 'Loading…' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  );
}
