import type { Limits, PolicyLimits, Result } from '#contracts';
import { hostRule, hostText } from './network-hosts.js';

/** What a caller may wish for; all are optional. */
export type WishedLimits = Partial<Limits>;

const MIB = 1_048_576;
const MAX_HOSTS = 32;

type Counted = Exclude<keyof Limits, 'network'>;

/** The bounds of one plan: from, to. What the server keeps per stream bounds the output. */
const BOUNDS: Readonly<Record<Counted, readonly [min: number, max: number]>> = {
  timeoutMs: [100, 3_600_000],
  maxOutputBytes: [1_024, Number.MAX_SAFE_INTEGER],
  cpuMs: [100, 24 * 3_600_000],
  memoryBytes: [16 * MIB, 1_024 ** 4],
  processes: [1, 4_096],
  fileBytes: [0, 1_024 ** 4],
  openFiles: [16, 65_536],
};

/** Fills in the defaults, no further than policy goes. A wish outside the bounds is refused, never quietly changed. */
export function boundedLimits(
  wished: WishedLimits,
  defaults: Pick<Limits, 'timeoutMs' | 'maxOutputBytes'>,
  policy: PolicyLimits = {},
): Result<Limits> {
  const most = {
    timeoutMs: Math.min(BOUNDS.timeoutMs[1], policy.timeoutMs ?? BOUNDS.timeoutMs[1]),
    maxOutputBytes: Math.min(defaults.maxOutputBytes, policy.maxOutputBytes ?? defaults.maxOutputBytes),
  };
  const usual = { timeoutMs: Math.min(defaults.timeoutMs, most.timeoutMs), maxOutputBytes: most.maxOutputBytes };
  const { network, ...counted } = { ...usual, ...wished };
  for (const [name, [least, bound]] of Object.entries(BOUNDS)) {
    const limit = name as Counted; // keys of the table above
    const value = counted[limit];
    const max = limit === 'timeoutMs' || limit === 'maxOutputBytes' ? most[limit] : bound;
    const min = Math.min(least, max);
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    return refusal(limit, `${limit} must be a whole number from ${String(min)} to ${String(max)}`, { min, max });
  }
  if (network === undefined || network.hosts.length === 0) return { ok: true, value: counted };
  const hosts = network.hosts.map(hostRule);
  const known = hosts.filter((rule) => rule !== undefined);
  if (known.length < hosts.length || known.length > MAX_HOSTS) {
    return refusal('network', 'Each host is a name, a name and a port, *.domain, or an address', { max: MAX_HOSTS });
  }
  return { ok: true, value: { ...counted, network: { hosts: [...new Set(known.map(hostText))] } } };
}

/** Whether policy would now give this plan less than it has. */
export function tighterLimits({ timeoutMs, maxOutputBytes }: Limits, policy: PolicyLimits = {}): readonly string[] {
  const isTighter = timeoutMs > (policy.timeoutMs ?? timeoutMs) || maxOutputBytes > (policy.maxOutputBytes ?? maxOutputBytes);
  return isTighter ? ['limits'] : [];
}

function refusal(limit: string, message: string, bounds: Readonly<Record<string, number>>): Result<never> {
  return { ok: false, code: 'LIMITS_INVALID', message, details: { limit, ...bounds } };
}
