import type { PolicyMatch, PolicyRule, TimeWindow } from '#contracts';
import { durationText } from '../../core/time-text.js';
import type { Language } from '../../core/time-text.js';
import type { Words } from '../../core/say.js';
import type { WordKey } from '../../core/words.js';
import { limitTexts } from '../../shared/limit-texts.js';

/** One condition of a rule: what it looks at, and the values of which any is enough. */
export interface Condition {
  readonly word: WordKey;
  readonly values: readonly string[];
}

const LISTS: readonly (readonly [WordKey, (match: PolicyMatch) => readonly string[]])[] = [
  ['match_tools', (match) => match.tools],
  ['match_subcommands', (match) => match.subcommands],
  ['match_argv', (match) => (match.argv === null ? [] : [match.argv.join(' ')])],
  ['match_effects', (match) => match.effects],
  ['match_paths', (match) => match.paths.map(({ glob, roles }) => (roles.length === 0 ? glob : `${glob} (${roles.join(', ')})`))],
  ['match_hosts', (match) => match.hosts],
  ['match_findings', (match) => match.findings],
  ['match_risks', (match) => match.risks],
  ['match_actions', (match) => match.connectorActions],
  ['match_workspaces', (match) => match.workspaces],
  ['match_cwd', (match) => (match.cwd === null ? [] : [match.cwd])],
  ['match_modes', (match) => match.modes],
  ['match_principals', (match) => match.principals],
  ['match_kinds', (match) => match.kinds],
  ['match_roles', (match) => match.roles],
  ['match_sessions', (match) => match.sessions],
];

/** What a rule looks at, in the order in which people think of a command. Pure. */
export function conditionsOf(match: PolicyMatch, lang: Language): readonly Condition[] {
  const lists = LISTS.map(([word, values]) => ({ word, values: values(match) }));
  const times = { word: 'match_times' as const, values: match.times.map((window) => windowText(window, lang)) };
  return [...lists, times].filter(({ values }) => values.length > 0);
}

/** What follows beyond the verdict itself, as short sentences. Pure. */
export function termsOf({ ask, limits }: PolicyRule, words: Words): readonly string[] {
  const { say, many, lang } = words;
  const out: string[] = [];
  if (ask !== null) {
    if (ask.quorum > 1) out.push(many('then_votes', ask.quorum));
    for (const { roles, people } of ask.deciders) out.push(`${say('then_deciders')} ${[...roles, ...people].join(say('list_or'))}`);
    if (ask.notRequester) out.push(say('then_not_requester'));
    if (ask.withinMs !== null) {
      const time = durationText(ask.withinMs, lang());
      out.push(say(ask.onExpiry === 'deny' ? 'then_within' : 'then_due', { time }));
    }
    if (!ask.remember) out.push(say('then_no_remember'));
  }
  return limits === null ? out : [...out, ...limitTexts(limits, words)];
}

const WEEKDAY_AT: Readonly<Record<string, number>> = { mon: 5, tue: 6, wed: 7, thu: 8, fri: 9, sat: 10, sun: 11 };

function windowText({ zone, weekdays, from, to }: TimeWindow, lang: Language): string {
  const name = new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'short', timeZone: 'UTC' });
  // The 5th of January 2026 is a Monday.
  const days = weekdays.map((day) => name.format(Date.UTC(2026, 0, WEEKDAY_AT[day] ?? 5))).join(' ');
  const hours = from === null && to === null ? '' : `${from ?? '00:00'}–${to ?? '24:00'}`;
  return [days, hours, zone].filter((part) => part !== '').join(' ');
}
