import type { ComponentChildren } from 'preact';
import type { Pages } from '../use-answer.ts';
import { Button } from './button.tsx';
import { Loading } from './screen.tsx';
import { ProblemNotice } from './notice.tsx';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly align?: 'right';
}

interface TableProps<Row> {
  readonly caption: string;
  /** A note below the caption, such as the time zone. */
  readonly note?: ComponentChildren;
  /** Otherwise, only screen readers read it out, because the heading above says the same. */
  readonly captionShown?: boolean;
  /** On phones, puts two cells side by side without labels: for cells that need none. */
  readonly compact?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly actions?: ((row: Row) => ComponentChildren) | false;
  readonly rows: readonly Row[];
  /** The last row: what the others add up to. */
  readonly total?: Row;
  readonly keyOf: (row: Row) => string;
}

/** On phones, each row becomes a card: the roles keep it a table for screen readers. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, note, captionShown = false, compact = false, columns, actions, rows, total, keyOf } = props;
  const cellsOf = (row: Row) =>
    columns.map(({ label, cell, align }) => (
      <td key={label} role="cell" class={align} data-label={label}>
        {cell(row)}
      </td>
    ));
  return (
    <table role="table" class={compact ? 'compact' : undefined}>
      <caption>
        <span class={captionShown ? 'caption' : 'hidden'}>{caption}</span>
        {note && <span class="quiet note">{note}</span>}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, align }) => (
            <th key={label} role="columnheader" scope="col" class={align}>
              {label}
            </th>
          ))}
          {actions && (
            <th role="columnheader" scope="col">
              <span class="hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {cellsOf(row)}
            {actions && <td role="cell">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot role="rowgroup">
          <tr role="row">{cellsOf(total)}</tr>
        </tfoot>
      )}
    </table>
  );
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'keyOf'> {
  readonly pages: Pages<Row>;
  readonly empty: ComponentChildren;
}

export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { items, loading, problem, hasMore, loadMore, keyOf } = pages;
  return (
    <>
      <p class="hidden" role="status">
        {loading ? '' : `${items.length} shown`}
      </p>
      {items.length > 0 && <Table {...table} rows={items} keyOf={keyOf} />}
      {items.length === 0 && loading && <Loading lines={5} />}
      {items.length === 0 && !loading && !problem && empty}
      {problem && !loading && <ProblemNotice problem={problem} retry={loadMore} />}
      {hasMore && <p class="on-paper">The list goes on. To print all of it, press Load more first.</p>}
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
