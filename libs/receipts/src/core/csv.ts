/** Signs at the start of a cell that make spreadsheets calculate. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]/u;
const LEADING_CONTROL = /^[\t\r\n]/;

/** One line of RFC 4180, with texts that no spreadsheet takes for a formula. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const inert = FORMULA.test(value) || LEADING_CONTROL.test(value) ? `'${value}` : value;
  return `"${inert.replaceAll('"', '""')}"`;
}
