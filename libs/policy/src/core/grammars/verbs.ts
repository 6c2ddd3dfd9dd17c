import type { ToolUse } from '../grammar/tool.js';

/** The words from the first one that is no option; options in front are not understood. */
export function fromVerb(use: ToolUse): readonly string[] {
  const texts = use.texts();
  const at = texts.findIndex((text) => !text.startsWith('-') || text === '-');
  const end = at < 0 ? texts.length : at;
  for (const text of texts.slice(0, end)) use.fire('option.unknown', `${use.name} ${text}`);
  return texts.slice(end);
}

/** Only asks for help or a version, in one of the spellings of such tools. */
export function asksAbout(use: ToolUse): boolean {
  const texts = use.texts();
  return texts.length === 1 && /^(-{0,2}(version|help)|-[vVh])$/.test(texts[0] ?? '');
}
