import fc from 'fast-check';
import { WEBHOOK_FORMATS, type Ask, type NoticeRoutes, type QuietHours } from '#contracts';
import { Redactor } from '#receipts/core';
import { MOST_ATTEMPTS, waitAfter } from './backoff.js';
import { askClosed, askOpened, askReminder, type Notice, runFailed, testNotice, withoutSecrets } from './notice.js';
import { isZone, sendAt } from './quiet-hours.js';
import { render } from './render.js';
import { wants } from './routes.js';
import { cut, visible } from './text.js';

const ASK = {
  id: 'a1',
  title: 'Run a command',
  summary: 'rm -r build',
  risk: 'medium',
  requesterName: 'agent',
  reasons: ['deletes files'],
  workspaceId: 'w1',
  createdAt: 1_000,
  expiresAt: 2_000,
  status: 'denied',
  votes: [{ byName: 'Ada', answer: 'deny', reason: 'not today' }],
} as unknown as Ask;

const hostile = [
  ...['<!channel>', '@everyone', '[x](https://evil.example)', '**bold**', '<https://evil.example|click>', '`code`'],
  ...['a\u202egnp.exe', 'a\u200bb', 'x\u0007y', 'two\nlines', '\ud800', '\u{e0041}tag', '\u001b]8;;https://evil.example\u0007x'],
];

it('takes secrets out of a command before others are told of it', () => {
  const redactor = new Redactor(['hunter2hunter2']);
  const ask = { ...ASK, summary: 'curl -u bot:hunter2hunter2 x', title: 'Run hunter2hunter2', reasons: ['hunter2hunter2 is odd'] };
  const told = withoutSecrets(askOpened(ask, 'site'), (text) => redactor.redact(text).text);
  for (const format of WEBHOOK_FORMATS) expect(render(format, 'd1', told, 'https://c.example').body).not.toContain('hunter2');
});

describe('text of messages', () => {
  it('shows what hides, on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(visible('a\u202eb\nc')).toBe('a\\u{202e}b\\u{a}c');
  });

  it('is cut with a digest of the whole, and never in the middle of a character', () => {
    const [one, other] = [cut('x'.repeat(999), 100), cut(`${'x'.repeat(998)}y`, 100)];
    expect(one).toHaveLength(100);
    expect(one).toMatch(/… \(999 characters, sha256 [0-9a-f]{12}\)$/);
    expect(one).not.toBe(other);
    fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 60 }), (text) => expect(cut(text, 60).isWellFormed()).toBe(true)));
  });
});

describe('notices', () => {
  it('say what waits, where, for whom and until when', () => {
    expect(askOpened(ASK, 'site')).toMatchObject({
      type: 'ask.opened',
      title: 'Waiting for a decision: Run a command',
      lines: ['rm -r build', 'Risk medium, asked by agent in site', 'deletes files', 'Open until 1970-01-01T00:00:02.000Z'],
      path: '/asks/a1',
    });
    expect(askReminder(ASK, 'site', 0.9, 1_900)).toMatchObject({ title: 'Still waiting: Run a command', at: 1_900 });
    expect(askReminder(ASK, 'site', 0.9, 1_900).lines[0]).toBe('90 % of the time is over');
    expect(askClosed(ASK, 'site', 5)).toMatchObject({ title: 'Run a command: denied' });
    expect(askClosed(ASK, 'site', 5).lines.at(-1)).toBe('Ada: deny (not today)');
  });
});

describe('messages of every service', () => {
  const notice = (text: string): Notice => askOpened({ ...ASK, title: text, summary: text, reasons: [text] }, text);

  it.each(WEBHOOK_FORMATS)('%s leads to the console and holds no secret', (format) => {
    const { body, headers } = render(format, 'd1', testNotice('ops', 1_000), 'https://console.example');
    expect(`${body}${JSON.stringify(headers)}`).toContain('https://console.example/webhooks');
    expect(body).not.toMatch(/token|csn_|whsec_/);
  });

  it.each(hostile)('take %j as text', (text) => {
    const slack = render('slack', 'd', notice(text), 'https://c.example').body;
    expect((JSON.parse(slack) as { text: string }).text).not.toMatch(/<[!@#h]/);
    expect(slack).not.toContain('mrkdwn');
    const discord = JSON.parse(render('discord', 'd', notice(text), 'https://c.example').body) as {
      allowed_mentions: unknown;
      embeds: { title: string; description: string }[];
    };
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    const shown = `${discord.embeds[0]?.title ?? ''}\n${discord.embeds[0]?.description ?? ''}`;
    expect(shown.replaceAll(/\\[\\`*_{}[\]()#+\-.!|<>~:@]/g, '')).not.toMatch(/[`*_[\]()#|<>~@]/);
    for (const format of WEBHOOK_FORMATS) {
      const { body, headers } = render(format, 'd', notice(text), 'https://c.example');
      expect(body).not.toMatch(/[\u202e\u200b\u0007\ud800]|\\u202e|\\u200b|\\u0007|\\ud800/);
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  it('of failed runs name the command and lead to its receipt', () => {
    const receipt = { id: 'r1', outcome: 'failed', command: 'make', requesterName: 'agent', workspaceName: 'site', risk: 'low', at: 3 };
    expect(runFailed(receipt as Parameters<typeof runFailed>[0], null)).toMatchObject({
      path: '/receipts/r1',
      lines: ['make', 'Workspace site, for agent'],
    });
  });
});

describe('routes', () => {
  const all: NoticeRoutes = { types: [], workspaces: [], leastRisk: 'low', deciders: [] };
  const notice = askOpened({ ...ASK, deciders: [{ roles: ['approver'], people: [] }] } as unknown as Ask, 'site');

  it.each([
    ['everything', {}, true],
    ['another type', { types: ['run.failed'] }, false],
    ['its type', { types: ['ask.opened'] }, true],
    ['a higher risk', { leastRisk: 'high' }, false],
    ['its risk', { leastRisk: 'medium' }, true],
    ['another workspace', { workspaces: ['w2'] }, false],
    ['its workspace', { workspaces: ['w1', 'w2'] }, true],
    ['other deciders', { deciders: ['admin'] }, false],
    ['its deciders', { deciders: ['approver'] }, true],
  ])('for %s', (_name, part, expected) => {
    expect(wants({ ...all, ...(part as Partial<NoticeRoutes>) }, notice)).toBe(expected);
  });
});

describe('quiet hours', () => {
  const night: QuietHours = { zone: 'Europe/Berlin', days: [], from: '22:00', to: '07:00' };
  const at = (text: string): number => Date.parse(text);

  it.each([
    ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00Z'],
    ['2026-06-01T20:00:30Z', '2026-06-02T05:00:00Z'], // 22:00 there
    ['2026-06-02T04:59:59Z', '2026-06-02T05:00:00Z'],
    ['2026-06-02T05:00:00Z', '2026-06-02T05:00:00Z'],
    ['2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z'], // clocks go forward that night
    ['2026-10-24T22:00:00Z', '2026-10-25T06:00:00Z'], // and back
  ])('hold a message of %s until %s', (from, until) => {
    expect(new Date(sendAt(at(from), night)).toISOString()).toBe(new Date(at(until)).toISOString());
  });

  it('begin on the days that are named only', () => {
    const friday: QuietHours = { ...night, zone: 'UTC', days: ['fri'] };
    expect(sendAt(at('2026-06-05T23:00:00Z'), friday)).toBe(at('2026-06-06T07:00:00Z'));
    expect(sendAt(at('2026-06-06T03:00:00Z'), friday)).toBe(at('2026-06-06T07:00:00Z'));
    expect(sendAt(at('2026-06-06T23:00:00Z'), friday)).toBe(at('2026-06-06T23:00:00Z'));
  });

  it('never hold a message for longer than a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 1_439 }),
        fc.integer({ min: 0, max: 1_439 }),
        (now, from, to) => {
          const text = (minutes: number): string =>
            `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
          const later = sendAt(now, { zone: 'America/St_Johns', days: [], from: text(from), to: text(to) }) - now;
          expect(later).toBeGreaterThanOrEqual(0);
          expect(later).toBeLessThanOrEqual(26 * 3_600_000);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('know zones', () => {
    expect([isZone('Asia/Shanghai'), isZone('Mars/Olympus')]).toEqual([true, false]);
  });
});

describe('waits between attempts', () => {
  it('grow, and end', () => {
    const waits = Array.from({ length: MOST_ATTEMPTS }, (_, index) => waitAfter(index + 1, 0, undefined, 0));
    expect(waits.at(-1)).toBeNull();
    const numbers = waits.filter((wait) => wait !== null);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  });

  it('follow the wish of the receiver, within a day', () => {
    expect(waitAfter(1, 0, '120', 0)).toBe(120_000);
    expect(waitAfter(1, 0, new Date(60_000).toUTCString(), 0)).toBe(60_000);
    expect(waitAfter(1, 0, '999999', 0)).toBe(86_400_000);
    expect(waitAfter(1, 0, 'soon', 0)).toBe(5_000);
  });
});
