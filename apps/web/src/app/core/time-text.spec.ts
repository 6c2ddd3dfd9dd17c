import { bytesText, clockDuration, durationText, shortDuration, tookText } from './time-text.js';

describe('time text', () => {
  it.each([
    [680_000, '11 min 20 s', '11 min'],
    [59_400, '59 s', '59 s'],
    [7_500_000, '2 h 5 min', '2 h'],
    [86_400_000 * 3, '3 d', '3 d'],
    [-5, '0 s', '0 s'],
  ])('%d ms', (ms, long, short) => {
    expect(durationText(ms, 'en')).toBe(long);
    expect(shortDuration(ms, 'en')).toBe(short);
  });

  it('says how long a run took', () => {
    expect(tookText(41_800, 'en')).toBe('41.8 s');
    expect(tookText(12, 'en')).toBe('12 ms');
    expect(clockDuration(87_000)).toBe('1:27');
    expect(clockDuration(3_661_000)).toBe('1:01:01');
  });

  it('says sizes', () => {
    expect(bytesText(0)).toBe('0 B');
    expect(bytesText(4_130)).toBe('4.1 KB');
    expect(bytesText(1 << 20)).toBe('1 MiB');
  });
});
