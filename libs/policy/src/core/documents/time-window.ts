import { WEEKDAYS, type TimeWindow, type Weekday } from '#contracts';

const ZONE = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/;
const formats = new Map<string, Intl.DateTimeFormat>();

export function isZone(zone: string): boolean {
  return ZONE.test(zone) && formatOf(zone) !== undefined;
}

/** Minutes of a clock text such as `07:30`; undefined when it is none. */
export function minutesOf(clock: string): number | undefined {
  const [, hours = '', minutes = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clock) ?? [];
  return hours === '' ? undefined : Number(hours) * 60 + Number(minutes);
}

/** Whether this moment lies in the window, by the clock on the wall of its zone. */
export function isWithin({ zone, weekdays, from, to }: TimeWindow, at: number): boolean {
  const now = wallClock(zone, at);
  const start = from === null ? 0 : (minutesOf(from) ?? 0);
  const end = to === null ? 1_440 : (minutesOf(to) ?? 1_440);
  const isDay = (day: number): boolean => weekdays.length === 0 || weekdays.includes(WEEKDAYS[(day + 7) % 7] ?? 'mon');
  if (start < end) return isDay(now.day) && now.minutes >= start && now.minutes < end;
  return (isDay(now.day) && now.minutes >= start) || (isDay(now.day - 1) && now.minutes < end);
}

function wallClock(zone: string, at: number): { readonly day: number; readonly minutes: number } {
  const parts = Object.fromEntries((formatOf(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.indexOf((parts['weekday'] ?? 'Mon').slice(0, 3).toLowerCase() as Weekday); // the format below writes English days
  return { day, minutes: Number(parts['hour'] ?? 0) * 60 + Number(parts['minute'] ?? 0) };
}

/** Making a format costs more than using it, and documents name few zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone);
  if (known) return known;
  try {
    const made = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, made);
    return made;
  } catch {
    return undefined; // no such zone; the caller says so
  }
}
