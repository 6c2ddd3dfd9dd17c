import { WEEKDAYS, type QuietHours } from '#contracts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** No quiet time is longer than a day, and clocks are put forward or back by less than two hours. */
const MOST_MINUTES = DAY_MINUTES + 120;

/** When a message of this moment may be sent: now, or at the first minute after the quiet time. */
export function sendAt(at: number, quiet: QuietHours | null): number {
  if (!quiet || !isQuiet(at, quiet)) return at;
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  for (let step = 1; step <= MOST_MINUTES; step += 1) {
    if (!isQuiet(minute + step * MINUTE_MS, quiet)) return minute + step * MINUTE_MS;
  }
  return at; // quiet all the time would be no message at all
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isQuiet(at: number, { zone, days, from, to }: QuietHours): boolean {
  const { day, minute } = localTime(at, zone);
  const begins = minutesOf(from);
  const ends = minutesOf(to);
  const isOn = (index: number): boolean => days.length === 0 || days.includes(WEEKDAYS[(index + 7) % 7] ?? 'mon');
  if (begins <= ends) return isOn(day) && minute >= begins && minute < ends;
  return (isOn(day) && minute >= begins) || (isOn(day - 1) && minute < ends);
}

/** Day of the week (0 is Monday) and minute of the day, as clocks there show them. */
function localTime(at: number, zone: string): { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase());
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function minutesOf(text: string): number {
  const [hours = '', minutes = ''] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}
