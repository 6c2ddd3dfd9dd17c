import type { FakeEntry } from './fake-look.js';

/** A small project with a repository, as most commands of the tables expect it. */
export const WORKSPACE = '/ws';

export const PROJECT: Readonly<Record<string, FakeEntry>> = {
  '/ws/README.md': '# Title\n',
  '/ws/package.json': '{"scripts":{"lint":"eslint .","test":"jest","build":"tsc"}}',
  '/ws/src/app.ts': 'export {};\n',
  '/ws/logs/app.log': 'line\n',
  '/ws/tests/test_a.py': 'pass\n',
  '/ws/my file.txt': 'text\n',
  '/ws/certs': null,
  '/ws/.git/HEAD': 'ref: refs/heads/main\n',
  '/ws/.git/config': '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/a/b.git\n',
  '/ws/.git/objects': null,
  '/ws/.git/refs': null,
  '/etc/passwd': 'root:x:0:0\n',
};
