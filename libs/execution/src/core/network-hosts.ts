/** One place that a run may connect to: a name or an address, and a port. */
export interface HostRule {
  /** As URLs write it: lower case, no final dot, IPv4 in four parts, IPv6 in brackets. */
  readonly name: string;
  readonly port: number;
  /** `*.name`: every name below it, not the name itself. */
  readonly isBelow: boolean;
}

const HTTPS = 443;
const LONGEST = 253;
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/;
const PORT = /^(.*[^:\]]|\[[^\]]*\]):(\d{1,5})$/;

/** Reads `host`, `host:port`, `*.domain`, or an address; without a port it is https. Undefined: it is none of these. */
export function hostRule(text: string): HostRule | undefined {
  const isBelow = text.startsWith('*.');
  const whole = isBelow ? text.slice(2) : text;
  const [, before = whole, digits = String(HTTPS)] = PORT.exec(whole) ?? [];
  const name = canonicalHost(before);
  const port = Number(digits);
  if (name === undefined || port < 1 || port > 65_535) return undefined;
  // a wildcard right below a top-level domain would be the whole Internet
  if (isBelow && (isAddress(name) || !name.includes('.'))) return undefined;
  return { name, port, isBelow };
}

export function hostText({ name, port, isBelow }: HostRule): string {
  return `${isBelow ? '*.' : ''}${name}${port === HTTPS ? '' : `:${String(port)}`}`;
}

/** How a host is compared: one spelling for each name and each address. Undefined: it is no host. */
export function canonicalHost(text: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@:[\]\\%*]+)$/i.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, '');
  return name.length > 0 && name.length <= LONGEST && /^(\[[\da-f:]+\]|[a-z\d_](?:[a-z\d_.-]*[a-z\d_])?)$/.test(name) ? name : undefined;
}

/** `localhost` is as good as the address: no look-up decides where it leads. */
export function isAddress(name: string): boolean {
  return ADDRESS.test(name) || name === 'localhost';
}

export function allows(rules: readonly HostRule[], name: string, port: number): boolean {
  return rules.some((rule) => rule.port === port && (rule.isBelow ? name.endsWith(`.${rule.name}`) : name === rule.name));
}
