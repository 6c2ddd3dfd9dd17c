import type { LogFacts } from './log-facts.js';

export interface ShownTitle {
  readonly title: string;
  /** `live`: the host's own title; `log`: the last one that the log names; `message`: the first words that a person wrote. */
  readonly title_source: 'live' | 'log' | 'message' | 'none';
}

const MAX_TITLE = 80;

/** The host's title costs nothing and comes first; then what the log says; then what a person wrote first. */
export function titleFor(live: string | null, facts: Pick<LogFacts, 'title' | 'messages'> | null): ShownTitle {
  if (live !== null && live !== '') return { title: live, title_source: 'live' };
  if (facts?.title) return { title: facts.title.title, title_source: 'log' };
  const first = facts?.messages.find(({ from }) => from === 'user')?.text.trim() ?? '';
  return first === '' ? { title: '', title_source: 'none' } : { title: firstLine(first), title_source: 'message' };
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
}
