import fc from 'fast-check';
import { csvLine } from './csv.js';

describe('csvLine', () => {
  it('writes RFC 4180', () => {
    expect(csvLine([1, null, 'plain', 'a "quoted", cell', 'two\nlines'])).toBe('1,,"plain","a ""quoted"", cell","two\nlines"\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '\uff1d1', '\u200b=1', '|cmd', '%0A=1'])(
    'lets %j act on no spreadsheet',
    (text) => {
      expect(csvLine([text])).toBe(`"'${text}"\r\n`);
    },
  );

  it('gives every text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [, cell = ''] = /^"([^]*)"\r\n$/.exec(csvLine([text])) ?? [];
        const read = cell.replaceAll('""', '"');
        expect([text, `'${text}`]).toContain(read);
      }),
    );
  });
});
