/** Subcommands that go by several names. A rule that asks or denies holds for all of them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  npm: [
    'install i in ins inst insta instal isnt isnta isntal isntall add',
    'ci clean-install ic install-clean isntall-clean',
    'uninstall un unlink remove rm r',
    'update up upgrade udpate',
    'install-test it',
    'install-ci-test cit clean-install-test sit',
    'test t tst',
    'run run-script rum urn',
    'exec x',
    'publish',
    'link ln',
    'config c',
    'list ls la ll',
    'dist-tag dist-tags',
    'owner author',
    'version verison',
    'view info show v',
    'search find s se',
    'create init innit',
  ],
  pnpm: ['install i', 'remove rm uninstall un', 'update up upgrade', 'test t tst', 'run run-script', 'list ls', 'link ln', 'create init'],
  yarn: ['upgrade up', 'run exec'],
  cargo: ['build b', 'check c', 'doc d', 'run r', 'test t', 'remove rm'],
};

const known = new Map(
  Object.entries(GROUPS).map(([tool, groups]) => {
    const names = groups.map((group) => group.split(' '));
    return [tool, new Map(names.flatMap((group) => group.map((name) => [name, new Set(group)] as const)))] as const;
  }),
);

/** Whether two names of a subcommand mean the same to this tool. */
export function isSameSubcommand(tool: string, one: string, other: string): boolean {
  return one === other || (known.get(tool)?.get(one)?.has(other) ?? false);
}
