import { SseParser, backoffMs } from './sse.js';

describe('SseParser', () => {
  it('reads messages, joins data lines and remembers the id', () => {
    const parser = new SseParser();
    expect(parser.push('id: 7\nevent: x\ndata: a\ndata: b\n\ndata: c\n\n')).toEqual([
      { id: '7', event: 'x', data: 'a\nb' },
      { id: '7', event: 'message', data: 'c' },
    ]);
  });

  it('gives nothing for comments and retry hints', () => {
    expect(new SseParser().push(': beat\n\nretry: 100\n\n')).toEqual([]);
  });

  it('gives the same messages however the text is cut', () => {
    const text = ': hi\r\nid:1\r\ndata: {"a":1}\r\n\r\nid: 2\ndata:x\n\n';
    const whole = new SseParser().push(text);
    expect(whole).toHaveLength(2);
    for (let cut = 1; cut < text.length; cut += 1) {
      const parser = new SseParser();
      expect([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]).toEqual(whole);
    }
  });
});

describe('backoffMs', () => {
  it('grows, stays below half a minute and has jitter', () => {
    expect(backoffMs(0, 0)).toBe(250);
    expect(backoffMs(0, 1)).toBe(500);
    expect(backoffMs(3, 0.5)).toBe(3000);
    expect(backoffMs(50, 1)).toBe(30_000);
  });
});
