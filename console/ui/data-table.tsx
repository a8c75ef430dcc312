/** A table that becomes a list of cards in a narrow window. The server sorts the rows and divides them into pages. */
import { tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { toVisibleText } from './visible-text.js';

const features = tableFeatures({});

type Features = typeof features;

export type Columns<Row> = ColumnDef<Features, Row & object>[];

interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  /** Identifies a row, so that it keeps the focus and opened details when other rows come or go. */
  toKey(row: Row): string;
  /** Whether older rows are shown while new ones load. */
  isOutdated?: boolean;
  className?: string;
}

/** The roles are written out, because a cell with another CSS layout loses its implicit role. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, toKey, isOutdated = false, className = '' } = props;
  const table = useTable({ features, columns, data: rows, getRowId: toKey });
  return (
    <table className={`data ${className}`} role="table" aria-label={toVisibleText(label)} aria-busy={isOutdated}>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} role="row">
            {group.headers.map((header) => (
              <th key={header.id} role="columnheader" scope="col" className={`of-${header.column.id}`}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} role="row">
            {row.getAllCells().map((cell) => (
              <td key={cell.id} role="cell" className={`of-${cell.column.id}`} data-label={toLabel(cell.column.columnDef.header)}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const toLabel = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);
