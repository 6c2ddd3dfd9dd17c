import { fileURLToPath } from 'node:url';
import { isAddress, type HostRule } from '../../core/network-hosts.js';

/** Where things lie inside the sandbox. */
export const PROXY_SOCKET = '/run/countersign/proxy';
export const LAUNCHER = '/run/countersign/launcher.mjs';
export const LAUNCHER_NODE = '/run/countersign/node';
export const PROXY_PORT = 3_128;

/** The launcher as the build made it. */
export const LAUNCHER_FILE = fileURLToPath(new URL('./launcher.js', import.meta.url));

const OWN = ['localhost', '127.0.0.1', '::1'];

/** What makes curl, git, npm, pip, cargo, Node.js and most others take the proxy. A run's own servers are reached directly. */
export function proxyEnv(rules: readonly HostRule[]): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${String(PROXY_PORT)}`;
  const named = new Set(rules.filter(({ name }) => isAddress(name)).map(({ name }) => name.replace(/^\[|\]$/g, '')));
  const direct = OWN.filter((name) => !named.has(name)).join(',');
  return {
    ...both('http_proxy', proxy),
    ...both('https_proxy', proxy),
    ...both('all_proxy', proxy),
    ...both('no_proxy', direct),
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: direct,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    CARGO_HTTP_PROXY: proxy,
    PIP_PROXY: proxy,
    NODE_USE_ENV_PROXY: '1',
  };
}

function both(name: string, value: string): Record<string, string> {
  return { [name]: value, [name.toUpperCase()]: value };
}
