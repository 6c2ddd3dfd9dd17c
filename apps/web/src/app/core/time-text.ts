/** Times and sizes as people read them. Pure; the language is given. */
export type Language = 'en' | 'zh';

const UNITS: Readonly<Record<Language, { readonly d: string; readonly h: string; readonly min: string; readonly s: string }>> = {
  en: { d: ' d', h: ' h', min: ' min', s: ' s' },
  zh: { d: ' 天', h: ' 小时', min: ' 分', s: ' 秒' },
};

/** `11 min 20 s`, `3 h 5 min`, `2 d 4 h`: the two greatest units, for something that counts. */
export function durationText(ms: number, lang: Language): string {
  const unit = UNITS[lang];
  const seconds = Math.max(0, Math.round(ms / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  if (days > 0) return `${String(days)}${unit.d}${hours > 0 ? ` ${String(hours)}${unit.h}` : ''}`;
  if (hours > 0) return `${String(hours)}${unit.h}${minutes > 0 ? ` ${String(minutes)}${unit.min}` : ''}`;
  if (minutes > 0) return `${String(minutes)}${unit.min}${rest > 0 ? ` ${String(rest)}${unit.s}` : ''}`;
  return `${String(rest)}${unit.s}`;
}

/** `11 min`, `3 h`, `22 h`: the greatest unit, for a row. */
export function shortDuration(ms: number, lang: Language): string {
  const unit = UNITS[lang];
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds >= 172_800) return `${String(Math.floor(seconds / 86_400))}${unit.d}`;
  if (seconds >= 7200) return `${String(Math.floor(seconds / 3600))}${unit.h}`;
  if (seconds >= 60) return `${String(Math.floor(seconds / 60))}${unit.min}`;
  return `${String(seconds)}${unit.s}`;
}

/** How long something took, with tenths below a minute. */
export function tookText(ms: number, lang: Language): string {
  if (ms < 1000) return `${String(Math.round(ms))} ${lang === 'zh' ? '毫秒' : 'ms'}`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}${UNITS[lang].s}`;
  return durationText(ms, lang);
}

/** `1:27`, for a meter beside its limit. */
export function clockDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}` : `${String(minutes)}:${rest}`;
}

/** `14:02:11` today, else the day and the time. */
export function momentText(at: number, now: number, lang: Language): string {
  const locale = lang === 'zh' ? 'zh-CN' : 'en-GB';
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false }).format(at);
  if (new Date(at).toDateString() === new Date(now).toDateString()) return time;
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const day = new Intl.DateTimeFormat(
    locale,
    isThisYear ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
  );
  return `${day.format(at)}, ${time.slice(0, 5)}`;
}

export function dayText(at: number, lang: Language): string {
  return new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(at);
}

export function fullMoment(at: number, lang: Language): string {
  return new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(at);
}

export function numberText(value: number, lang: Language): string {
  return new Intl.NumberFormat(lang === 'zh' ? 'zh-CN' : 'en-GB').format(value);
}

/** `4.1 KB`, `1 MiB`: limits are powers of two and say so, counts are not. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`;
  if (bytes >= 1 << 20) return `${trimmed(bytes / (1 << 20))} MiB`;
  return `${trimmed(bytes / 1000)} KB`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
