import type { PolicyCheck } from '#contracts';
import { saveGate } from './save-gate.js';
import type { DraftState } from './save-gate.js';

// Partial row: the gate reads only whether the text is right.
const check = { ok: true } as PolicyCheck;
const ready: DraftState = { isSame: false, isConflict: false, isLive: true, check, isReplayed: true, looserLeft: 0, note: 'why' };

describe('saving a draft', () => {
  it('is open once it was checked, replayed, looked through and explained', () => {
    expect(saveGate(ready)).toBeUndefined();
  });

  it.each([
    ['the connection is away', { isLive: false }, 'save_off_away'],
    ['nothing changed', { isSame: true }, 'save_off_same'],
    ['somebody else saved', { isConflict: true }, 'save_off_conflict'],
    ['it is not checked', { check: undefined }, 'save_off_check'],
    ['it does not read', { check: { ok: false } as PolicyCheck }, 'save_off_issues'],
    ['it was not replayed as it stands', { isReplayed: false }, 'save_off_replay'],
    ['a looser row was not opened', { looserLeft: 2 }, 'save_off_looser'],
    ['nobody said why', { note: '  ' }, 'save_off_note'],
  ] as const)('is off while %s', (_title, change, why) => {
    expect(saveGate({ ...ready, ...change })).toBe(why);
  });
});
