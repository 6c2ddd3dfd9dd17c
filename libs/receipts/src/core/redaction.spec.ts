import fc from 'fast-check';
import { Redactor } from './redaction.js';

const ESC = '\u001b';
const none = new Redactor([]);
const hidden = (text: string, redactor = none): string => redactor.redact(text).text;

/** Made-up values with the shape of real ones, cut in two so that no scanner takes them for real. */
const SHAPES: Readonly<Record<string, string>> = {
  'aws-key': 'AKIA' + 'IOSFODNN7EXAMPLE',
  'github-token': 'ghp_' + 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  'github-pat': 'github_pat_' + '11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123',
  'slack-token': 'xoxb-' + '123456789012-abcdefghijkl',
  'npm-token': 'npm_' + 'abcdefghijklmnopqrstuvwxyz0123456789',
  'api-key': 'sk-' + 'proj-abcdefghijklmnopqrstuvwxyz012345',
  'gitlab-token': 'glpat-' + 'abcdefghij0123456789',
  'google-key': 'AIza' + 'SyA1234567890abcdefghijklmnopqrstuv',
  jwt: 'eyJ' + 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'countersign-token': 'csn_' + 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
};
const PEM_BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const pem = (lines: number, end = '\n'): string =>
  ['-----BEGIN RSA PRIVATE KEY-----', ...Array.from({ length: lines }, () => PEM_BODY), '-----END RSA PRIVATE KEY-----'].join(end);

describe('Redactor', () => {
  it.each(Object.entries(SHAPES))('hides %s and nothing around it', (kind, secret) => {
    expect(hidden(`before ${secret} after`)).toBe(`before [REDACTED:${kind}] after`);
    expect(hidden(`"${secret}"`)).toBe(`"[REDACTED:${kind}]"`);
  });

  it.each([
    ['https://ada:s3cr3t@host/path', 'https://ada:[REDACTED:url-userinfo]@host/path'],
    ['git clone https://ghx0123456789abcdef01@host/x.git', 'git clone https://[REDACTED:url-userinfo]@host/x.git'],
    ['postgres://u:p@ss@db:5432/x', 'postgres://u:[REDACTED:url-userinfo]@db:5432/x'],
    ['DB_PASSWORD=hunter2!', 'DB_PASSWORD=[REDACTED:secret-assignment]'],
    ['API_KEY=abc12345', 'API_KEY=[REDACTED:secret-assignment]'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', 'aws_secret_access_key = [REDACTED:secret-assignment]'],
    ['"clientSecret": "with space and, comma"', '"clientSecret": "[REDACTED:secret-assignment]"'],
    ["passphrase: 'correct horse'", "passphrase: '[REDACTED:secret-assignment]'"],
    ['{\\"token\\":\\"abcd1234efgh\\"}', '{\\"token\\":\\"[REDACTED:secret-assignment]"}'],
    ['--password hunter2! --user ada', '--password [REDACTED:secret-assignment] --user ada'],
    ['?access_token=abcdef123456', '?access_token=[REDACTED:secret-assignment]'],
    ['PASSWORD=secret', 'PASSWORD=[REDACTED:secret-assignment]'],
    ['export TOKEN=lettersonly && run', 'export TOKEN=[REDACTED:secret-assignment] && run'],
    ['password: swordfish', 'password: [REDACTED:secret-assignment]'],
    ['password: Sommer2024, next', 'password: [REDACTED:secret-assignment] next'],
    ['secret = correct-horse', 'secret = [REDACTED:secret-assignment]'],
    ['Authorization: Bearer abcdef', 'Authorization: Bearer [REDACTED:authorization]'],
    ["-H 'authorization: Basic YWRhOnNlY3JldA=='", "-H 'authorization: Basic [REDACTED:authorization]'"],
    ['Bearer abcdefghijklmnop123456', 'Bearer [REDACTED:authorization]'],
    ['PASSWORD=12345678', 'PASSWORD=[REDACTED:secret-assignment]'],
    ['DB_PWD=/tRee9!x', 'DB_PWD=[REDACTED:secret-assignment]'],
    ['PWD=/tRee9!x', 'PWD=[REDACTED:secret-assignment]'],
    ['PWD=hunter22', 'PWD=[REDACTED:secret-assignment]'],
    ['DB_PWD=/srv/site', 'DB_PWD=[REDACTED:secret-assignment]'],
    ['UID=sa;PWD=/srv/site', 'UID=sa;PWD=[REDACTED:secret-assignment]'],
    ['pwd: /srv/site', 'pwd: [REDACTED:secret-assignment]'],
  ])('hides the secret part of %j', (text, expected) => {
    expect(hidden(text)).toBe(expected);
  });

  it.each([
    'const token = getToken();',
    'token = process.env.TOKEN',
    'login(name: string, password: string, roles: Role[])',
    'action(token: AbstractToken | string) => token',
    'const { token: injectionToken } = found',
    'Client(token=api_token, password=password)',
    'readonly secret: string;',
    'secret: KeyObject',
    'token: <your token>',
    'password: ********',
    'password = tokens[0]',
    'PASSWORD=${DB_PASSWORD}',
    'PASSWORD=$DB_PASSWORD rest',
    'password: null,',
    'prompt_tokens: 1523',
    'token: 42',
    'https://host/a:b@c',
    'git@github.com:x/y.git',
    'ssh://git@github.com/x',
    'the task-force-that-never-sleeps-at-night',
    'npm_config_user_agent=npm/11',
    '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    'a bearer of news',
    'password=[REDACTED:secret-assignment]',
    'PWD=/srv/site',
    'HOME=/root\nPWD=/srv/my site/a\nOLDPWD=/',
    'declare -x OLDPWD="/srv/site"',
    '{"PWD":"/srv/site"}',
  ])('leaves %j as it is', (text) => {
    expect(none.redact(text)).toEqual({ text, count: 0 });
  });

  it('hides a known value in every spelling', () => {
    const secret = 'Tr0ub4dor&3/ü"x';
    const redactor = new Redactor([secret]);
    const bytes = Buffer.from(secret);
    const spellings = [
      secret,
      Array.from(secret).reverse().join(''),
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      JSON.stringify(secret).slice(1, -1),
    ];
    for (const spelling of spellings) expect(hidden(`<${spelling}>`, redactor)).toBe('<[REDACTED:known-secret]>');
    for (const before of ['', 'a', 'ab', 'abc', 'abcd', 'user:']) {
      for (const after of ['', 'z', 'zz', 'zzz']) {
        const text = Buffer.from(before + secret + after).toString('base64');
        expect(hidden(text, redactor)).toMatch(/^.{0,8}\[REDACTED:known-secret\].{0,6}$/);
      }
    }
  });

  it('hides each line of a known value that has several', () => {
    const redactor = new Redactor(['first line of it\nsecond line of it']);
    expect(hidden('a second line of it b', redactor)).toBe('a [REDACTED:known-secret] b');
  });

  it('sees through colours and NUL bytes', () => {
    const secret = SHAPES['aws-key'] ?? '';
    expect(hidden(`key=${ESC}[01;31m${ESC}[K${secret}${ESC}[m rest`)).not.toContain(secret);
    expect(hidden(`${secret.slice(0, 9)}${ESC}[1m${secret.slice(9)}`)).toBe('[REDACTED:aws-key]');
    expect(hidden(Array.from(secret).join('\0'))).toBe('[REDACTED:aws-key]');
    expect(hidden(`${ESC}]0;${secret}\u0007 title`)).toBe(`${ESC}]0;[REDACTED:aws-key]\u0007 title`);
    expect(hidden(`plain ${ESC}[32mgreen${ESC}[0m text`)).toBe(`plain ${ESC}[32mgreen${ESC}[0m text`);
  });

  it('hides private keys over many lines, on one line, behind prefixes and without an end', () => {
    expect(hidden(`a\n${pem(20)}\nb`)).toBe('a\n[REDACTED:private-key]\nb');
    expect(hidden(`{"key":"${pem(3, '\\n')}"}`)).not.toContain(PEM_BODY);
    expect(hidden(pem(5).replaceAll(/^/gm, 'id_rsa:12:'))).not.toContain(PEM_BODY);
    expect(hidden(pem(5, '\r\n'))).toBe('[REDACTED:private-key]');
    const open = `-----BEGIN OPENSSH PRIVATE KEY-----\n${PEM_BODY}\nplain words\nmore words\nback again\n`;
    expect(hidden(open)).toBe('[REDACTED:private-key]\nback again\n');
    expect(hidden(`${pem(1)}\n${pem(1)}`)).toBe('[REDACTED:private-key]\n[REDACTED:private-key]');
  });

  it('hides the value after a secret flag in an argument list', () => {
    expect(none.redactArgv(['curl', '--token', 'abc', '-u', 'ada', '--password', '--next'])).toEqual([
      ...['curl', '--token', '[REDACTED:secret-assignment]', '-u', 'ada', '--password', '--next'],
    ]);
  });

  it('leaves its own markers alone', () => {
    for (const [kind, secret] of Object.entries(SHAPES)) {
      for (const text of [secret, `${kind}: ${secret}`, `--token ${secret}`, `Authorization: Bearer ${secret}`, `https://a:${secret}@h`]) {
        const once = hidden(text);
        expect(once).not.toContain(secret);
        expect(hidden(once)).toBe(once);
      }
    }
  });

  it('counts what it replaces', () => {
    expect(none.redact(`${SHAPES['aws-key'] ?? ''} ${SHAPES['npm-token'] ?? ''}`).count).toBe(2);
  });
});

const SECRETS = ['swordfish-42', 'päßwörd/+=', Array.from({ length: 120 }, (_, index) => `k${String(index)}.`).join('')];
const redactor = new Redactor(SECRETS);

const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.values(SHAPES), ...SECRETS, pem(2), pem(1, '\\n'), '-----BEGIN PRIVATE KEY-----\n') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'password=',
      'token: "',
      'Authorization: Bearer ',
      'https://u:',
      '@host',
      ' --secret ',
      '"',
      "'",
      '=',
      '.',
      'eyJ',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('\n', '\r\n', '\r', `${ESC}[31m`, ESC, '\0', '😀', ' ', `${ESC}]8;;x${ESC}\\`) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'ab ', 'A1', '😀', 'eyJ', PEM_BODY), fc.integer({ min: 100, max: 1_600 }))
      .map(([text, times]) => text.repeat(times)),
  },
);

describe('RedactionStream', () => {
  it('gives the same text and count however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 20 }),
        (parts, cuts) => {
          const text = parts.join('');
          const whole = redactor.redact(text);
          const stream = redactor.stream();
          const out: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const end = at + (cuts[turn % cuts.length] ?? 1);
            out.push(stream.push(text.slice(at, end)));
            at = end;
          }
          out.push(stream.flush());
          expect(out.join('')).toBe(whole.text);
          expect(stream.count).toBe(whole.count);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never lets a known value through, whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 8 }),
        fc.constantFrom(...SECRETS),
        fc.array(pieces, { maxLength: 8 }),
        (before, secret, after) => {
          expect(redactor.redact([...before, secret, ...after].join('')).text).not.toContain(secret);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('shows whole lines at once and holds back only the last one', () => {
    const stream = none.stream();
    expect(stream.push('one\ntwo\nthr')).toBe('one\ntwo\n');
    expect(stream.push('ee\r')).toBe('three\r');
    expect(stream.flush()).toBe('');
  });

  it('holds back little of a line that never ends', () => {
    const stream = none.stream();
    let shown = 0;
    for (let turn = 0; turn < 2_000; turn += 1) shown += stream.push('no line break here '.repeat(50)).length;
    expect(2_000 * 19 * 50 - shown).toBeLessThan(4_096);
  });

  it('never cuts a character in two', () => {
    const stream = none.stream();
    const parts = Array.from({ length: 50 }, () => stream.push('x😀'.repeat(300)));
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });
});

describe('time', () => {
  const KIB = 1_024;
  const fill = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
  /** Processor time in milliseconds: what others do on the machine does not count. */
  const best = (text: string, times = 1): number => {
    const tries = Array.from({ length: 4 }, () => {
      const start = process.threadCpuUsage();
      for (let turn = 0; turn < times; turn += 1) redactor.redact(text);
      const { user, system } = process.threadCpuUsage(start);
      return (user + system) / 1_000;
    });
    return Math.min(...tries);
  };

  it.each([
    ...[
      'eyJ',
      'sk-',
      'token=',
      'password_',
      '-----BEGIN RSA PRIVATE KEY-----\n',
      '-----BEGIN RSA PRIVATE KEY-----',
      '://a:b',
      `${ESC}[31mx`,
      `${ESC}]`,
    ],
    ...['a\0', 'k0.k1.k2.k', 'authorization: ', 'xoxb-1234567890', 'ghp_', '--token ', 'swordfish-4', 'eyJhbGciOiJIUzI1NiJ9.'],
  ])('grows in step with the text for repeated %j', (text) => {
    const inParts = best(fill(text, 16 * KIB), 8);
    const atOnce = best(fill(text, 128 * KIB));
    expect(atOnce).toBeLessThan(3 * inParts + 20); // a quadratic one would need eight times as much
  });

  it('passes clean text quickly', () => {
    const line = 'drwxr-xr-x 12 root root 4096 Nov 30 15:36 src/components/list.ts: const value = compute(input, options);\n';
    const text = fill(line, 1_024 * KIB);
    // An idle machine passes more than twice as much; a busy one has slower caches.
    expect(text.length / KIB / KIB / (best(text) / 1_000)).toBeGreaterThan(40);
  });
});
