import { isAbsolute } from 'node:path';
import type { HostKind, HostSettings, Result } from '#contracts';

const MOST_WORDS = 64;
const MOST_VARIABLES = 64;
const WORD = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;
const VARIABLE = /^[A-Z][A-Z0-9_]{0,63}$/;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** They say who the process is, or change what it loads. */
const TAKEN = /^(PATH|HOME|LANG|TMPDIR|NODE_OPTIONS|LD_.*)$/;

/** What a door was given; which of it counts is told by the kind. */
export interface GivenSettings {
  readonly kind: HostKind;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | null | undefined;
  readonly url?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The settings of one kind of host, or the names of what is wrong with them. */
export function toSettings({
  kind,
  provider = '',
  model = '',
  baseUrl = null,
  url = '',
  argv = [],
  env = {},
}: GivenSettings): Result<HostSettings> {
  switch (kind) {
    case 'bridge': {
      const wrong = [
        ...(WORD.test(provider) ? [] : ['provider']),
        ...(WORD.test(model) ? [] : ['model']),
        ...(baseUrl === null || isWeb(baseUrl) ? [] : ['baseUrl']),
      ];
      return wrong.length > 0 ? refuse(wrong) : { ok: true, value: { kind, provider, model, baseUrl } };
    }
    case 'attach':
      return isLoopback(url) ? { ok: true, value: { kind, url: new URL(url).origin } } : refuse(['url']);
    case 'acp': {
      const isProgram = isAbsolute(argv[0] ?? '') && argv.length <= MOST_WORDS && argv.every((word) => !word.includes('\0'));
      const names = Object.keys(env);
      const isEnv = names.length <= MOST_VARIABLES && names.every((name) => VARIABLE.test(name) && !TAKEN.test(name));
      const wrong = [...(isProgram ? [] : ['argv']), ...(isEnv ? [] : ['env'])];
      return wrong.length > 0 ? refuse(wrong) : { ok: true, value: { kind, argv, env } };
    }
  }
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Such a host has no login: only one on this very machine may be driven. */
function isLoopback(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'http:' && LOOPBACK.has(new URL(text).hostname);
}

function refuse(paths: readonly string[]): Result<HostSettings> {
  const message = `These settings cannot be used: ${paths.join(', ')}`;
  return { ok: false, code: 'INPUT_INVALID', message, details: { paths: paths.map((path) => `settings.${path}`) } };
}
