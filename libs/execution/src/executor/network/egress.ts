import { join } from 'node:path';
import type { NetworkFact, SandboxFacts } from '#contracts';
import type { Redactor } from '#receipts/core';
import { hostRule, type HostRule } from '../../core/network-hosts.js';
import { NotStarted } from '../not-started.js';
import type { RunFolder } from '../private-folders.js';
import type { SandboxWish } from '../protocol.js';
import { EgressProxy } from './egress-proxy.js';
import { Names, type StandIns } from './names.js';

/** The kernel takes no longer names of sockets. */
const LONGEST_SOCKET = 107;

export function proxySocketOf({ path }: RunFolder): string {
  return join(path, 'proxy');
}

export function rulesOf({ network }: Pick<SandboxWish, 'network'>): readonly HostRule[] {
  if (network === 'none') return [];
  return network.map((text) => {
    const rule = hostRule(text);
    if (!rule) throw new NotStarted(`${text} is not a host that a run can be granted`);
    return rule;
  });
}

/** The way out of a run, where its sandbox has no other; undefined: it has none, or nothing holds it to one. */
export async function openEgress(
  wish: SandboxWish,
  facts: SandboxFacts,
  folder: RunFolder,
  standIns: StandIns,
): Promise<EgressProxy | undefined> {
  if (facts.network !== 'hosts') return undefined;
  const socket = proxySocketOf(folder);
  if (Buffer.byteLength(socket) > LONGEST_SOCKET)
    throw new NotStarted(`The name of the socket ${socket} is too long; set a shorter TMPDIR`);
  const proxy = new EgressProxy(rulesOf(wish), new Names(standIns));
  await proxy.listen(socket);
  return proxy;
}

/** A program names hosts as it likes, and may put anything into them. */
export function redactedFact(fact: NetworkFact, redactor: Redactor): NetworkFact {
  return { ...fact, connections: fact.connections.map((one) => ({ ...one, host: redactor.redact(one.host).text })) };
}
