import type { PolicyLimits, PolicyRuleLimits } from '#contracts';
import type { Words } from '../core/say.js';
import { bytesText, durationText } from '../core/time-text.js';

/** Bounds that policy sets to a run, as short sentences. Pure. */
export function limitTexts(limits: PolicyLimits | PolicyRuleLimits, { say, lang }: Words): readonly string[] {
  const { timeoutMs, maxOutputBytes, hosts, sandboxRequired } = limits;
  const out: string[] = [];
  if (timeoutMs != null) out.push(say('then_timeout', { time: durationText(timeoutMs, lang()) }));
  if (maxOutputBytes != null) out.push(say('then_output', { size: bytesText(maxOutputBytes) }));
  if (hosts != null) out.push(hosts.length === 0 ? say('then_no_network') : say('then_hosts', { hosts: hosts.join(say('list_comma')) }));
  if (sandboxRequired === true) out.push(say('then_sandbox'));
  return out;
}
