import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import type { Receipt10 } from '#contracts';
import { receipt10Shape, signReceipt10, sortedAsciiJson, verifyReceipt10, type Receipt10Body } from './receipt10.js';

const ID = '01920000-0000-7000-8000-000000000001';
const BODY: Receipt10Body = {
  plan_id: '01920000-0000-7000-8000-000000000002',
  session_id: '01920000-0000-7000-8000-000000000003',
  command: 'printf "héllo\t\u007f😀\u2028"',
  cwd: '/srv/wörk',
  mode: 'confirm',
  risk: 'low',
  approved: true,
  policy: { allowed: true, risk: 'low', requires_approval: false, reasons: ['Reads only'], argv: ['printf', 'héllo\t\u007f😀\u2028'] },
  status: 'succeeded',
  started_at: '2026-11-30T10:00:00.000Z',
  finished_at: '2026-11-30T10:00:00.120Z',
  duration_ms: 120,
  exit_code: 0,
  signal: null,
  stdout: 'a"b\\c/\b\f\n\r\u0001',
  stderr: '',
  output_truncated: false,
};
const RECEIPT = signReceipt10(ID, BODY, 'a key');

/** The independent reading of the rule: Python's own JSON and HMAC. */
const PYTHON = `
import sys, json, hmac, hashlib
receipt = json.load(sys.stdin)
key = sys.argv[1].encode()
signature = receipt.pop('signature')
text = json.dumps(receipt, sort_keys=True, separators=(',', ':'), ensure_ascii=True)
assert hashlib.sha256(receipt['command'].encode()).hexdigest() == receipt['command_sha256']
print(hmac.new(key, text.encode(), hashlib.sha256).hexdigest() == signature)
`;

describe('receipt 1.0', () => {
  it('signs exactly these bytes', () => {
    expect(sortedAsciiJson({ b: ['é', '\u007f', '😀', '\u2028'], a: { z: null, y: true, x: 1 } })).toBe(
      '{"a":{"x":1,"y":true,"z":null},"b":["\\u00e9","\\u007f","\\ud83d\\ude00","\\u2028"]}',
    );
    // Computed with Python's json and hmac.
    expect(RECEIPT.command_sha256).toBe('273d7e72d7f910deec4015ddcf2b8a0c073adc4f9dd83f4b9bc7f19baa60eb3b');
    expect(RECEIPT.signature).toBe('a4f3f7786cbc6fdea3abc969c8df665ea9d83d80aafbfa481f441d999e3a1c31');
  });

  it('is accepted by an independent reading of the rule', () => {
    const { stdout, error } = spawnSync('python3', ['-c', PYTHON, 'a key'], { input: JSON.stringify(RECEIPT), encoding: 'utf8' });
    // Where there is no Python, the fixed bytes above stand for it.
    expect(error ? 'True' : stdout.trim()).toBe('True');
  });

  it('accepts what it signed and nothing else', () => {
    expect(verifyReceipt10(RECEIPT, 'a key')).toBe(true);
    expect(verifyReceipt10(RECEIPT, 'another key')).toBe(false);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(RECEIPT)), fc.jsonValue(), (field, value) => {
        fc.pre(JSON.stringify(RECEIPT[field as keyof Receipt10]) !== JSON.stringify(value));
        const changed = { ...RECEIPT, [field]: value } as Receipt10;
        expect(receipt10Shape(changed, '').length > 0 || !verifyReceipt10(changed, 'a key')).toBe(true);
      }),
    );
  });

  it('has exactly the fields of its schema', () => {
    expect(receipt10Shape(RECEIPT, '')).toEqual([]);
    expect(receipt10Shape({ ...RECEIPT, sharing_redacted: true }, '')).toEqual([]);
    expect(receipt10Shape({ ...RECEIPT, more: 1 }, '')).toEqual(['/more']);
    for (const field of Object.keys(RECEIPT)) {
      const { [field as keyof Receipt10]: _, ...rest } = RECEIPT;
      expect(receipt10Shape(rest, '')).toEqual([`/${field}`]);
    }
  });

  it.each([
    ['duration_ms', 1.5],
    ['mode', 'yolo'],
    ['risk', 'none'],
    ['status', 'interrupted'],
    ['started_at', 'yesterday'],
    ['signal', 'SIGTERM'],
    ['sharing_redacted', false],
    ['stdout', '\ud800'],
    ['signature', 'ABC'],
  ])('refuses %s %j', (field, value) => {
    expect(receipt10Shape({ ...RECEIPT, [field]: value }, '')).toEqual([`/${field}`]);
  });
});
