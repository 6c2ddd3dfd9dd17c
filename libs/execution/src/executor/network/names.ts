import { lookup } from 'node:dns/promises';
import { isAddress } from '../../core/network-hosts.js';
import { isPublicAddress } from '#platform/core';

const LOOKUP_MS = 10_000;
const MAX_ADDRESSES = 4;

/** Names to which a test gives a server of its own; they are taken as they are. */
export type StandIns = Readonly<Record<string, string>>;
/** Asks for the addresses of a name. */
export type LookUp = (name: string) => Promise<readonly string[]>;

export type Resolved = { readonly addresses: readonly string[] } | { readonly refused: string };

/**
 * Owner of what the names of one run lead to. Each name is looked up once, judged, and stays what it was then: a name server that
 * answers differently later moves nothing.
 */
export class Names {
  readonly #known = new Map<string, Promise<Resolved>>();

  constructor(
    private readonly standIns: StandIns = {},
    private readonly lookUp: LookUp = systemLookUp,
  ) {}

  resolve(name: string): Promise<Resolved> {
    const known = this.#known.get(name);
    if (known) return known;
    const resolved = this.#find(name);
    this.#known.set(name, resolved);
    return resolved;
  }

  async #find(name: string): Promise<Resolved> {
    const standIn = this.standIns[name];
    if (standIn !== undefined) return { addresses: [standIn] };
    if (name === 'localhost') return { addresses: ['127.0.0.1', '::1'] };
    if (isAddress(name)) return { addresses: [name.replace(/^\[|\]$/g, '')] }; // named as such, so it may be any
    try {
      const addresses = await inTime(this.lookUp(name));
      if (addresses.length === 0) return { refused: 'the name leads nowhere' };
      const inner = addresses.find((address) => !isPublicAddress(address));
      if (inner !== undefined) return { refused: `the name leads to ${inner}, which is not on the public Internet` };
      return { addresses: addresses.slice(0, MAX_ADDRESSES) };
    } catch (thrown) {
      this.#known.delete(name); // a name server that was away may be back
      const code = (thrown as NodeJS.ErrnoException | null)?.code;
      return { refused: code === undefined ? 'the name was not answered in time' : `the name could not be looked up (${code})` };
    }
  }
}

async function systemLookUp(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address);
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), LOOKUP_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
