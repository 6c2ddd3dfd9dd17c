import { innerPath } from './inner-path.js';

describe('where a sign-in leads', () => {
  it.each(['/inbox', '/asks/1?view=me#dock', '/'])('goes to %s, a path of this console', (next) => {
    expect(innerPath(next)).toBe(next);
  });

  it.each([
    ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', 'javascript:alert(1)'],
    ...['/\t/evil.example', '/\n/evil.example', ' //evil.example', 'evil', '', undefined],
  ])('does not follow %j', (next) => {
    expect(innerPath(next)).toBe('/');
  });
});
