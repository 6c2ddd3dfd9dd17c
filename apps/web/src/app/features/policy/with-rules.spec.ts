import { withRules } from './with-rules.js';

describe('adding proposed rules to a text', () => {
  it.each([
    ['an empty list', 'name: A\nrules: []\n', 'name: A\nrules:\n  - name: x\n    outcome: deny\n'],
    ['rules that stand there', 'rules:\n  - name: a\n', 'rules:\n  - name: a\n  - name: x\n    outcome: deny\n'],
    ['a text without rules', '# only a comment', '# only a comment\nrules:\n  - name: x\n    outcome: deny\n'],
  ] as const)('follows %s', (_title, yaml, expected) => {
    expect(withRules(yaml, '- name: x\n  outcome: deny\n')).toBe(expected);
  });
});
